/** The part of vis-network that the viewer uses; the library stands in the page before the viewer. */
declare namespace vis {
  class Network {
    constructor(container: HTMLElement, data: { nodes: []; edges: [] }, options: object);
    on(event: "beforeDrawing", listener: (context: CanvasRenderingContext2D) => void): void;
    on(event: string, listener: () => void): void;
    getScale(): number;
    getViewPosition(): Position;
    canvasToDOM(position: Position): Position;
    moveTo(options: { position: Position; scale: number; animation: false | Animation }): void;
    redraw(): void;
    setSize(width: string, height: string): void;
  }

  interface Position {
    x: number;
    y: number;
  }

  interface Animation {
    duration: number;
    easingFunction: string;
  }
}

/* The data of the page, as exports/page writes it. */

interface TypeInfo {
  name: string;
  label: string;
  plural: string;
  comment: string;
  data: boolean;
  iri: string;
}

interface RoleInfo {
  name: string;
  label: string;
  comment: string;
  iri: string;
  parent: string | null;
  use: boolean;
  fits: string[];
}

/** What the page says about its corpus. */
interface CorpusInfo {
  title: string;
  licence: string;
  sources: [string, number][];
  first: string;
  last: string;
  inputs: string;
  configuration: string;
}

interface About {
  software: string;
  corpus: CorpusInfo;
  editable: boolean;
  base: string;
  block: number;
  certain: number;
  prefixes: Record<string, string>;
  types: TypeInfo[];
  roles: RoleInfo[];
  links: RoleInfo[];
}

interface NodeColumns {
  key: string[];
  label: string[];
  tentative: number[];
  x: number[];
  y: number[];
}

interface EntityColumns extends NodeColumns {
  type: string[];
  aliases: string[][];
}

interface PaperColumns extends NodeColumns {
  date: string[];
  stub: number[];
}

interface PaperFacts {
  authors: string[][];
  url: string[];
  arxiv: string[];
  doi: string[];
  links: string[][];
  venue: string[];
  cite: string[];
  entry: string[];
}

interface ClaimColumns {
  from: number[];
  to: number[];
  confidence: number[];
  tentative: number[];
}

interface RelationColumns extends ClaimColumns {
  role: number[];
  known: number[];
}

interface LinkColumns extends ClaimColumns {
  kind: number[];
  entity: number[];
}

/** The text of a name in a result, with its node if the graph has its entity. */
type ResultName = string | [string, number];

/** Start, end, start and end of the sentence, in code points of title and abstract. */
type Span = [number, number, number, number];

interface ResultColumns {
  paper: number[];
  measure: number[];
  label: string[];
  amount: (number | null)[];
  on: number[][];
  systems: ResultName[][];
  versus: ResultName[][];
  previous: string[];
  span: Span[];
  confidence: number[];
  tentative: number[];
}

/** What results have in common: their title, their benchmarks, and whether low values are better. */
interface MeasureColumns {
  title: string[];
  on: ResultName[][];
  change: number[];
  lower: (boolean | null)[];
}

/** The topics: ids, the nodes that name each, and the topic of every entity and paper of the corpus, -1 for none. */
interface TopicColumns {
  key: string[];
  names: number[][];
  of: number[];
}

interface Columns {
  topics: TopicColumns;
  entities: EntityColumns;
  papers: PaperColumns;
  relations: RelationColumns;
  links: LinkColumns;
  families: { from: number[]; to: number[] };
  citations: { from: number[]; to: number[] };
  results: ResultColumns;
  measures: MeasureColumns;
  additions?: Additions;
}

/** The columns that the drawing does not need. */
interface Details {
  entities: { hidden_names: string[][] };
  papers: PaperFacts;
  relations: { evidence: number[][] };
  links: { evidence: number[][] };
}

/** What the graph has that an earlier graph lacks: nodes, and the numbers of results. */
interface Additions {
  earlier: string;
  papers: number[];
  entities: number[];
  results: number[];
}

/** The abstract of a paper and its mentions: entity, start, end, start and end of the sentence. */
interface PaperText {
  abstract: string;
  mentions: [number, number, number, number, number][];
}

/* The graph in the page. */

/** Pairs of nodes. */
interface PairSet {
  count: number;
  from: Int32Array;
  to: Int32Array;
}

interface EdgeSet extends PairSet {
  label: Uint8Array;
}

/** Whether an edge of a set passes. */
type EdgeTest = (edge: number) => unknown;

/** Numbers by type, role and kind of link. */
interface Tallies {
  types: number[];
  roles: number[];
  known: number[];
  variants: number[];
  references: number[];
  kinds: number[];
}

/** Pairs (shown, passing) by type, role and kind of link. */
type Counts = Record<keyof Tallies, number[][]>;

/** The node from which a shortest path reaches a node, and the cost of this last step. */
interface Arrival {
  from: number;
  cost: number;
}

/** The strongest statement that compares two entities. */
interface Comparison {
  claim: number;
  confidence: number;
  outcome: string;
}

/** A value of a dot plot: the row of its result, the date in years, the value, and their texts. */
interface Dot {
  row: number;
  x: number;
  y: number;
  date: string;
  text: string;
}

/* The state. */

type StateName = keyof typeof START;
type StateValues = Record<StateName, string>;
type StatePatch = Partial<Record<StateName, string | number>>;
type StateListener = (changed: Set<StateName>, fromHistory: boolean) => void;

/** What the reader can do in the controls around the drawing. */
interface Actions {
  select(node: number): void;
  link(node: number, text?: string): HTMLAnchorElement;
  edge(a: number, b: number): void;
  focus(node: number): void;
  centre(node: number): void;
  highlight(node: number): void;
  pathFrom(node: number | null): void;
  pathStart(): number | null;
  pick(prompt: string | null, take?: (node: number) => boolean): void;
  picking(): Picking | null;
  relax(node: number): void;
  close(): void;
  wrong(subject: Subject): HTMLElement;
  isInDrawing(node: number): boolean;
  reveal(node: number): void;
  expand(node: number): void;
  isComplete(): boolean;
  resetFilters(): void;
}

/** A node that the reader is to choose; `take` returns whether it fits. */
interface Picking {
  prompt: string;
  hint: string;
  take(node: number): boolean;
}

/* Questions and answers. */

/** What a question is about: nodes of a sort, a topic, a type of entity, or a date. A system is an entity that is no data. */
type QuestionSubject = "entity" | "system" | "paper" | "topic" | "type" | "date";

interface Question {
  about: QuestionSubject[];
  text(name: string): string;
  answer(graph: Graph, values: string[]): Answer;
}

/** A statement of a paper: the number of a relation, link, result or reference. */
interface Statement {
  set: "relation" | "link" | "result" | "citation";
  i: number;
}

type AnswerCell = string | number | { nodes: number[] } | { share: number };

/** A row of an answer; `beside` are two nodes to show side by side, `series` the share of papers by year. */
interface AnswerRow {
  cells: AnswerCell[];
  evidence: Statement[];
  beside?: number[];
  series?: Map<number, number>;
}

interface AnswerTable {
  title: string;
  headings: string[];
  rows: AnswerRow[];
  none: string;
}

interface Answer {
  title: string;
  subjects: number[];
  note: string;
  tables: AnswerTable[];
}

/** The papers and the statements that support a row. */
interface Backed {
  papers: Set<number>;
  evidence: Statement[];
}

interface Trend {
  entity: number;
  papers: number;
  shares: Map<number, number>;
  early: number;
  late: number;
  score: number;
  relations: number[];
}

interface SimilarPaper {
  paper: number;
  similarity: number;
  shared: number[];
  relations: number[];
}

/* Corrections. */

/** A decision about the graph, with the fields of its kind. */
interface Correction {
  [field: string]: string | string[] | undefined;
  kind: string;
  date: string;
  reason: string;
  author?: string;
  name?: string;
  type?: string;
  paper?: string;
  role?: string;
  into?: string;
  to?: string;
  keep?: string;
  names?: string[];
  papers?: string[];
  spellings?: string[];
}

/** A correction without its date and reason. */
interface Draft extends Omit<Correction, "date" | "reason"> {
  [field: string]: string | string[] | undefined;
  kind: string;
}

/** What can be wrong: an entity, or the claim of a role or of a link. */
type Subject = { kind: "entity"; node: number } | { kind: "role" | "link"; claim: number };

/** What the reader can say is wrong; `isReady` tells later whether the choice applies. */
interface Choice {
  parts: Part[];
  make: () => Draft[];
  isReady?: Promise<boolean>;
}

interface ChoiceList {
  title: string;
  choices: Choice[];
  more: Subject[];
}

/* The drawing. */

type Outline = Point[];

interface Stroke {
  width: number;
  dash: number[];
}

type Point = [number, number];
type Palette = ReturnType<typeof palette>;
type ColourScale = ReturnType<typeof colourScale>;

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

interface Label extends Box {
  node: number;
  bold: boolean;
  quiet: boolean;
  text: string;
  font: string;
  x: number;
  y: number;
}

/** A disc in the window, in device pixels. */
interface Disc {
  node: number;
  x: number;
  y: number;
  radius: number;
}

/** The densest part of a topic, in units of the drawing. */
interface Region {
  topic: number;
  x: number;
  y: number;
  weight: number;
}

/** `dx` and `dy` lead from the middle of the region to that of the label, in device pixels. */
interface TopicLabel extends Box {
  topic: number;
  region: Region;
  dx: number;
  dy: number;
  lines: { text: string; font: string; height: number; width: number }[];
}

/** The labels of a frame; no viewport before the first frame. */
interface DrawnLabels {
  view?: Viewport;
  boxes: Label[];
}

interface Highlighted {
  roots: number[];
  edges: number[];
  nodes: Set<number>;
  order: number[];
}

interface DiscGroup {
  type: number;
  colour: string;
  nodes: number[];
}

interface LineGroup {
  colour: string;
  width: number;
  edges: number[];
}

/* The controls. */

type NamedElement<Name> = Name extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Name] : HTMLElement;

/** A part of an element; null, undefined and "" are skipped. */
type Part = Node | string | null | undefined;
type Content = Part | Part[];

/** The element of a tag that classes may follow, such as "p.quiet". */
type TaggedElement<Tag extends string> = NamedElement<Tag extends `${infer Name}.${string}` ? Name : Tag>;

interface SliderRange {
  min: number;
  max: number;
  step: number;
}

/** Types and roles (empty for any) of the rows and columns of the grid, and what it counts: papers or results. */
interface GridSetting {
  down: number;
  across: number;
  rowRole: string;
  columnRole: string;
  kind: string;
}

/** Measures a node; null where the measure does not apply. */
type Measure = (node: number, shown: VisibleGraph) => number | null;

interface ColumnHeading {
  name: string;
  title: string;
  hint?: string;
}

interface NumberColumn extends ColumnHeading {
  number: Measure;
}

interface TextColumn extends ColumnHeading {
  text: (node: number) => string;
}

type TableColumn = NumberColumn | TextColumn;

type LegendUpdate = (shown: VisibleGraph, off: Set<string>, painter: Painter) => void;

/** Where the words of a query stand, such as "alias", and the text there unless it is the name itself. */
interface MatchPlace {
  kind: string;
  text: string;
}

/** A hit of the search. */
interface Match extends MatchPlace {
  node: number;
}

type AddRank = (node: number, rank: number) => void;

/** What a reference to a paper states. */
interface Reference {
  key: string;
  entry: string;
  title: string;
  authors: string[];
  venue: string;
  date: string;
  arxiv: string;
  doi: string;
  url: string;
  abstract: string;
}

/** An entry of the legend of a picture: its text, and a symbol of a width that it draws at a point. */
interface LegendEntry {
  text: string;
  width: number;
  draw(context: CanvasRenderingContext2D, x: number, y: number, ratio: number): void;
}

/* SPARQL in the page. */

/** The parts that `html_page.py` embeds; the engine, the scripts and the quads are compressed. */
interface EmbeddedSparql {
  quads: string;
  engine: string;
  worker: string;
  editor: string;
  editorStyle: string;
  queries: NamedSparql[];
  prefixes: Record<string, string>;
  licences: string;
}

interface NamedSparql {
  name: string;
  title: string;
  about: string;
  sparql: string;
  tentative: boolean;
}

/** What `citekg.page_queries.packing` writes. */
interface PackedQuads {
  names: [number[], string[]];
  graphs: [string, number[], number[]][];
  shapes: number[][];
  columns: [number, number, number, (number | string)[]][];
}

interface SparqlTerm {
  type: string;
  value: string;
  datatype?: string;
}

interface SparqlAnswer {
  head: { vars?: string[] };
  boolean?: boolean;
  results?: { bindings: Record<string, SparqlTerm>[] };
  triples?: boolean;
}

interface WorkerStart {
  engine: string;
  quads: string;
  labels: string[];
  texts: string[];
}

interface WorkerQuery {
  query: string;
  dataset: "all" | "firm" | "own";
  format: string;
}

type WorkerRequest = { id: number } & (WorkerStart | WorkerQuery);

interface WorkerReply {
  id: number;
  value?: any;
  error?: string;
  isBroken?: boolean;
}

/** The query editor, which `kg/serving/page/editor.js` makes. */
interface QueryEditor {
  getValue(): string;
  setValue(text: string): void;
  refresh(): void;
}

declare function makeQueryEditor(
  place: Element,
  prefixes: Record<string, string>,
  ask: (query: string) => Promise<SparqlAnswer>,
): QueryEditor;

/* The bindings of Oxigraph, which stand before the worker. */

interface RdfTerm {
  termType: string;
  value: string;
  datatype: { value: string };
}

interface Quad {
  subject: RdfTerm;
  predicate: RdfTerm;
  object: RdfTerm;
}

type NamedNode = { termType: "NamedNode" };
type DefaultGraph = { termType: "DefaultGraph" };

declare class Store {
  readonly size: number;
  load(input: Iterable<string>, options: { format: string; lenient: boolean }): void;
  query(query: string, options: object): boolean | Quad[] | string;
}

declare function initSync(given: { module: BufferSource }): void;
declare function namedNode(iri: string): NamedNode;
declare function defaultGraph(): DefaultGraph;
