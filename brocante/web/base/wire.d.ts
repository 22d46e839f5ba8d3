/** What the server sends, as types: views (engine/view.py), tables and events (table/telling.py). */

export type Move = { seat: number; move: string; action?: number; [argument: string]: any };
export type Mark = { sign: string; ink: string; name: string };
export type Card = {
  kind: string;
  name: string;
  sign: string;
  ink: string;
  corner: string;
  marks: Mark[];
  foot: string;
  does: string | null;
};
export type Stack = {
  card: Card | null;
  count: number;
  goal: number;
  note: string | null;
  moves: Move[];
  chosen: boolean;
  why: string | null;
};
export type Zone = {
  key: string;
  title: string;
  layout: string;
  stacks: Stack[];
  note: string | null;
  moves: Move[];
  why: string | null;
};
export type Place = {
  seat: number;
  score: number | null;
  zones: Zone[];
  in_words: string | null;
  mark: Mark | null;
};
export type Race = {
  mark: Mark;
  points: number;
  counts: (number | null)[];
  open: number;
  left: number;
  winner: number | null;
};
export type Table = { status: string; centre: Zone[]; places: Place[]; races: Race[]; board: Zone[] };
export type Offer = { move: Move; label: string; key: string };
export type Result = { scores: number[]; ranks: number[]; winners: number[] };
export type Award = { title: string; why: string; points: number[]; mark: Mark | null };
export type Moment = { text: string; table: Table; pause: boolean };
export type View = {
  game: string;
  viewer: number;
  actor: number;
  table: Table;
  prompt: string;
  offers: Offer[];
  result: Result | null;
  awards: Award[];
};
export type SeatInfo = {
  kind: "empty" | "person" | "bot";
  name: string;
  bot: string;
  away: boolean;
  resigned: boolean;
  nonce: string;
};
export type Clock = { kind?: "none" | "move" | "bank"; seconds?: number; window?: number };
export type TableInfo = {
  game: string;
  options: Record<string, any>;
  private: boolean;
  phase: "open" | "playing" | "over";
  paused: boolean;
  clock: Clock;
  host: number | null;
  seats: SeatInfo[];
  undo: number | null;
  agreed: number[];
  again: number[];
  games: number;
  closed: boolean;
  winners: number[];
  commitment: string;
};
export type Now = { step?: number; asked?: number[]; left?: (number | null)[]; window?: number; game?: number };
export type Event = {
  n: number;
  at: number;
  event: string;
  seat?: number;
  said?: string[];
  moments?: Moment[];
  name?: string;
  text?: string;
  allies?: boolean;
  by?: string;
  die?: number;
  pictures?: Record<string, Card>;
};
export type You = { seat: number | null; host: boolean };
export type Message = {
  type: string;
  done?: number;
  id?: number;
  code?: string;
  says?: string;
  stream?: string;
  n?: number;
  you?: You;
  table?: TableInfo;
  now?: Now;
  view?: View | null;
  events?: Event[];
  log?: string[];
  pictures?: Record<string, Card>;
  retry?: number;
};
export type OptionInfo = {
  name: string;
  title: string;
  kind: string;
  default: any;
  least: number;
  most: number;
  choices: string[];
  instead_of: string;
};
export type GameInfo = {
  slug: string;
  title: string;
  blurb: string;
  authors: string[];
  publisher: string | null;
  players: number[];
  minutes: number;
  ink: string;
  reference: string;
  options: OptionInfo[];
  bots: string[];
};
export type Listed = {
  id: string;
  game: string;
  phase: "open" | "playing" | "over";
  opened: number;
  options: Record<string, any>;
  seats: { kind: string; name: string }[];
  your_turn?: boolean;
};
