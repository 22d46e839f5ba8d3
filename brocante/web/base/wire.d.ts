/** What the server sends. Written by `python -m tests.web.declarations` from the Python types; do not edit. */

/** A move as in a record (docs/record.md); of a move of several choices, the next choice as a number (`action`). */
export type Move = { seat: number; move: string; action?: number; [argument: string]: any };

/** A small sign that says what something is, with the word for it: a category, a colour. */
export type Mark = {
  sign: string;
  ink: string;
  name: string;
};

/** The face of a card: a name, and a sign and an ink to tell it by (never the ink alone). */
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

/** Cards that lie together: a pile, a set that grows towards its goal, equal cards of a hand. */
export type Stack = {
  card: Card | null;
  count: number;
  goal: number;
  note: string | null;
  moves: Move[];
  chosen: boolean;
  why: string | null;
};

/** A part of the table with a name. */
export type Zone = {
  key: string;
  title: string;
  layout: "cards" | "sets" | "bars" | "piles" | "row" | "list" | "slots";
  stacks: Stack[];
  note: string | null;
  moves: Move[];
  why: string | null;
};

/** What lies before one player. */
export type Place = {
  seat: number;
  score: number | null;
  zones: Zone[];
  in_words: string | null;
  mark: Mark | null;
};

/** What can be won by being ahead, and how far everyone is, as far as the viewer is shown. */
export type Race = {
  mark: Mark;
  points: number;
  counts: (number | null)[];
  open: number;
  left: number;
  winner: number | null;
};

/** Everything that lies on the table, as one seat sees it. */
export type Table = {
  status: string;
  centre: Zone[];
  places: Place[];
  races: Race[];
  board: Zone[];
};

/** A move that may be made now, or the first choice of one (a Part), with its label and the key that makes it. */
export type Offer = {
  move: Move;
  label: string;
  key: string;
  risky: boolean;
};

export type Result = {
  scores: number[];
  ranks: number[];
  winners: number[];
};

/** One step of the final scoring: what for, why, and who gets how many points (nobody, one seat, or several). */
export type Award = {
  title: string;
  why: string;
  points: number[];
  mark: Mark | null;
};

/** Something that is seen only while it happens: a card that a player looks at, all cards turned up. */
export type Moment = {
  text: string;
  table: Table;
  pause: boolean;
};

/** What everyone sees a player do with cards that lie face down: look at them, show them, or move them. */
export type Gesture = {
  seat: number;
  does: "look" | "show" | "move";
  at: string[];
};

/** All that a seat is shown: the table, whose decision it is, what is asked, what may be done, how it ended. */
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

/** How long people may think: without limit, so many seconds for every decision, or so many for the whole game; and how long a window stays open in which all decide at the same time. */
export type Clock = {
  kind?: "none" | "move" | "bank";
  seconds?: number;
  window?: number;
};

export type SeatInfo = {
  kind: "empty" | "person" | "bot";
  name: string;
  bot: string;
  away: boolean;
  resigned: boolean;
  nonce: string;
};

/** What everyone may know of a table. */
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
  removal: number | null;
  removal_agreed: number[];
  again: number[];
  games: number;
  winners: number[];
  commitment: string;
  closed: boolean;
  taken_back: number[];
  ended_by: number | null;
  ended_by_operator: boolean;
  fading: boolean;
  pace: "people" | "quick" | "instant";
  skipping: boolean;
};

/** What changes all the time: who is to decide, and how long they may think. */
export type Now = {
  step?: number;
  asked?: number[];
  turn?: number | null;
  otherwise?: string;
  left?: (number | null)[];
  window?: number | null;
  game?: number | null;
};

/** Something that happened, as one viewer is told it. */
export type Event = {
  n: number;
  at: number;
  event: string;
  category: "play" | "game" | "seats" | "agreement" | "chat" | "setup";
  seat?: number | null;
  turn?: number | null;
  said?: string[];
  pictures?: Record<string, Card>;
  moments?: Moment[];
  die?: number;
  gestures?: Gesture[];
  name?: string;
  text?: string;
  reaction?: string;
  allies?: boolean;
  by?: string;
  move?: Record<string, any> | null;
  later?: string[];
  moves?: number;
};

/** What has changed of a view, and all that may be touched now (nothing else may). */
export type Changes = {
  since: number;
  parts?: Record<string, any>;
  lists?: Record<string, any[]>;
  touch?: Record<string, number[]>;
  why?: Record<string, string[]>;
};

/** Who a client is to a table. */
export type You = {
  seat: number | null;
  host: boolean;
};

/** How things stand: the first message, and again when the client has sat down or got up. */
export type Welcome = {
  type: "welcome";
  stream: string;
  n: number;
  you: You;
  table: TableInfo;
  now: Now;
  view?: View | null;
  legal?: Record<string, any>[] | null;
  events?: Event[] | null;
  log?: string[] | null;
  later?: string[];
  pictures?: Record<string, Card>;
  undo?: "" | "free" | "ask" | "bots" | "shown" | "over" | null;
  done?: number | null;
};

/** What has happened, and how things stand now. */
export type News = {
  type: "news";
  events: Event[];
  now: Now;
  you?: You | null;
  table?: TableInfo | null;
  view?: View | null;
  changes?: Changes | null;
  legal?: Record<string, any>[] | null;
  undo?: "" | "free" | "ask" | "bots" | "shown" | "over" | null;
  done?: number | null;
};

/** A request was carried out, and there is nothing to tell. */
export type Done = {
  type: "done";
  done: number;
};

/** A request was refused, and nothing was changed; no id where it could not be read. */
export type NotDone = {
  type: "refused";
  code: string;
  says: string;
  id?: number | null;
};

/** The answer to a look. */
export type Seen = {
  type: "seen";
  id: number;
  view: View;
};

/** One turn of a recap: whose it was (the deal was nobody's), what the log said, and how the table looked then. */
export type Frame = {
  seat: number | null;
  said: string[];
  view: View;
  pictures: Record<string, Card>;
};

/** The answer to a request for a recap: what happened since the viewer's last turn. */
export type Recapped = {
  type: "recapped";
  id: number;
  frames: Frame[];
};

/** What the operator of the server says to everyone; an empty text takes it back. */
export type Announcement = {
  type: "announcement";
  text: string;
};

/** The server hangs up; come back after so many seconds. */
export type Bye = {
  type: "bye";
  reason: string;
  retry: number;
};

/** An option of a game: a number from `least` to `most`, one of `choices`, or on and off. */
export type OptionInfo = {
  name: string;
  title: string;
  kind: string;
  default: number | boolean | string | null;
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
  forgets: boolean;
  reference: string;
  options: OptionInfo[];
  bots: string[];
};

/** A table in the list of those that are open to all. */
export type Listed = {
  id: string;
  game: string;
  phase: string;
  opened: number;
  options: Record<string, any>;
  seats: Record<string, string>[];
};

/** A table in the list of your own: at which you sit, or which you have opened. */
export type Own = {
  id: string;
  game: string;
  phase: string;
  opened: number;
  options: Record<string, any>;
  seats: Record<string, string>[];
  private: boolean;
  seat: number | null;
  your_turn: boolean;
  games: number;
};

export type LessonInfo = {
  title: string;
  steps: number;
  seat: number;
  names: string[];
};

/** One step: what has happened since the one before, what is explained, and what the learner sees. */
export type LessonReply = {
  says: string;
  points_at: string;
  view: View;
  yours: boolean;
  last: boolean;
  log: string[];
  pictures: Record<string, Card>;
  moments: Moment[];
};

/** A game that is over, and what was told of each of its steps, in the order in which they happened. */
export type Replayed = {
  game: string;
  options: Record<string, any>;
  names: string[];
  seats: number;
  steps: number;
  winners: number[];
  log: string[][];
  pictures: Record<string, Card>;
  stopped: string;
};

export type Message = Welcome | News | Done | NotDone | Seen | Recapped | Announcement | Bye;
