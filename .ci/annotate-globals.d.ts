/* What the page of kg annotate gets from its server, and its state. */

interface AnnotationType {
  name: string;
  label: string;
  comment: string;
}

interface AnnotationRole extends AnnotationType {
  fits: string[];
}

/** What is the same for all papers, and which of them are saved. */
interface AnnotationOverview {
  annotator: string;
  file: string;
  types: AnnotationType[];
  roles: AnnotationRole[];
  saved: boolean[];
}

/** An entity in the format of annotations; the server adds the confidence of a proposal. */
interface AnnotatedEntity {
  [field: string]: unknown;
  surfaces: string[];
  type: string;
  relation?: string;
  also_relation?: string[];
  optional?: boolean;
  confidence?: number;
}

/** A paper; tokens are spans of title, newline and abstract in UTF-16 code units. */
interface AnnotationPaper {
  id: string;
  title: string;
  abstract: string;
  tokens: [number, number][];
  saved: boolean;
  entities: AnnotatedEntity[];
}

/** The text of a paper with its tokens, and their numbers by offset; the abstract begins at a token. */
interface TokenText {
  text: string;
  tokens: [number, number][];
  startingAt: Map<number, number>;
  endingAt: Map<number, number>;
  abstract: number;
}

type NameState = "proposed" | "accepted" | "rejected";

/** An entity of the paper while it is annotated; the first role is the main one, `kept` holds further fields. */
interface AnnotatedName {
  surfaces: string[];
  type: string;
  roles: string[];
  optional: boolean;
  state: NameState;
  confidence: number | null;
  kept: Record<string, unknown>;
}

/** The tokens `first` to `last` (exclusive), and the number of the entity that they name. */
interface NameMark {
  first: number;
  last: number;
  name: number;
}

/** The entities of a paper, and the selected token. */
interface Annotation {
  names: AnnotatedName[];
  cursor: number;
}

/** Words that are being selected, for a new name or (`name`) in place of a spelling of one. */
interface WordSelection {
  anchor: number;
  focus: number;
  name: number;
  surface: string;
}

/** The parts of a keyboard event that say what it asks for. */
interface Keystroke {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}
