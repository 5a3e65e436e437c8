/** The global object of vis-network, which stands in the page before the viewer. */
declare const vis: any;

/* The data of the page, as exports/page writes it. */

interface TypeInfo {
  name: string;
  label: string;
  plural: string;
  comment: string;
  iri: string;
}

interface RoleInfo {
  name: string;
  label: string;
  comment: string;
  iri: string;
  parent: string | null;
  use: boolean;
}

interface About {
  software: string;
  base: string;
  block: number;
  certain: number;
  prefixes: Record<string, string>;
  types: TypeInfo[];
  roles: RoleInfo[];
  links: RoleInfo[];
}

interface ClaimColumns {
  from: number[];
  to: number[];
  confidence: number[];
  tentative: number[];
  evidence: number[][];
  role: number[];
  kind: number[];
  entity: number[];
  known?: number[];
}

interface Columns {
  entities: Record<string, any[]>;
  papers: Record<string, any[]>;
  relations: ClaimColumns;
  links: ClaimColumns;
  families: { from: number[]; to: number[] };
  citations: { from: number[]; to: number[] };
}

/** The abstract of a paper and its mentions: entity, start, end, start and end of the sentence. */
interface PaperText {
  abstract: string;
  mentions: [number, number, number, number, number][];
}

/* The graph in the page. */

interface EdgeSet {
  count: number;
  from: Int32Array;
  to: Int32Array;
  label: Uint8Array;
}

interface ClaimSet extends EdgeSet {
  via: Int32Array;
  confidence: Uint8Array;
  tentative: Uint8Array;
  evidence: number[][];
  known: Uint8Array;
}

/** Pairs (shown, passing) by type, role and kind of link. */
type Counts = Record<string, number[][]>;

/* The drawing. */

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

interface SliderRange {
  min: number;
  max: number;
  step: number;
}

interface GridCounts {
  pairs: Map<number, number>;
  byRow: Map<number, number>;
  byColumn: Map<number, number>;
  maximum: number;
}

interface TableColumn {
  name: string;
  title: string;
  hint?: string;
  number?: (node: number) => number | null;
  text?: (node: number) => string;
}

interface Match {
  node: number;
  name: string;
  folded: string;
  rank: number;
}
