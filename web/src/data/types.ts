// The JSON that the server speaks (docs/api/reference.md), each shape named once: as a checker for the
// tests and as a type for the page. Scores are White's view; times are Unix milliseconds.
import { arr, bool, dict, either, lazy, lit, nullable, num, obj, opt, str } from './schema';
import type { Check, Infer } from './schema';

export const Score = either(
  obj({ cp: num }),
  obj({ mate: num, side: opt(lit('white', 'black')) }),
  obj({ tb: lit('win', 'cursed_win', 'draw', 'blessed_loss', 'loss'), dtz: num }),
);
export type Score = Infer<typeof Score>;
const MaybeScore = nullable(Score);

export const Opening = obj({ eco: str, name: str });
export type Opening = Infer<typeof Opening>;

export const Step = obj({ uci: str, san: str });
export type Step = Infer<typeof Step>;

export const Limit = obj({ depth: opt(num), nodes: opt(num), movetime_ms: opt(num) });
export type Limit = Infer<typeof Limit>;

export const PlyPlan = obj({ window: num, width: opt(num) });
export type PlyPlan = Infer<typeof PlyPlan>;
const Plan = arr(PlyPlan);

// Costs and purse are shown nowhere; a copy of an analysis takes them along.
const strategyFields = {
  kind: str,
  move_distance: num,
  refine: num,
  floor: opt(num),
  floor_sigma: opt(num),
  per_ply: opt(num),
  per_cp: opt(num),
  growth: opt(num),
  per_rank: opt(num),
  spread: opt(num),
  dullness: opt(num),
  carry: opt(num),
  bonus: opt(num),
  threshold: opt(num),
  loosening: opt(num),
  shuffle: opt(num),
  step: opt(num),
  horizon: opt(num),
  other_side: opt(num),
  purse: opt(str),
  plan: opt(either(Plan, obj({ white: Plan, black: Plan }))),
};
export const Strategy = obj(strategyFields);
export type Strategy = Infer<typeof Strategy>;

export const Budget = obj({
  positions: opt(num),
  nodes: opt(num),
  engine_seconds: opt(num),
  until: opt(num),
});
export type Budget = Infer<typeof Budget>;

export const Stop = obj({ proven: bool, lead: num, levels: num });
export type Stop = Infer<typeof Stop>;

export const AnalysisState = lit('queued', 'running', 'paused', 'settled', 'exhausted', 'failed');
export type AnalysisState = Infer<typeof AnalysisState>;

export const Judged = obj({ uci: str, san: str, score: Score });
export const Best = obj({
  uci: str,
  san: str,
  alpha: MaybeScore,
  idea: MaybeScore,
  anchor: opt(Judged), // what the long search says, where the tree names another move
  tree: opt(Judged),
});
export type Best = Infer<typeof Best>;

export const Analysis = obj({
  id: num,
  name: str,
  fen: str,
  start_fen: str,
  moves: arr(str),
  san: str,
  opening: nullable(Opening),
  engine: str,
  limit: Limit,
  strategy: Strategy,
  budget: Budget,
  stop: opt(Stop),
  accept: opt(arr(str)), // whose evaluations count beside those of the engine
  window: nullable(str),
  priority: num,
  rank: num, // place in the queue: lower first
  hold: bool,
  state: AnalysisState,
  reason: nullable(str),
  refine: num,
  settled: num,
  positions: num,
  evaluations: obj({ new: num, reused: num, unneeded: num }),
  unneeded: opt(num),
  nodes: num,
  engine_seconds: num,
  in_flight: num,
  eta_seconds: nullable(num),
  created_at: num,
  best: nullable(Best),
  sparkline: arr(num),
});
export type Analysis = Infer<typeof Analysis>;
export const Analyses = obj({ analyses: arr(Analysis) });

export const Health = obj({
  status: str,
  version: str,
  uptime_seconds: num,
  store: obj({ evaluations: num, positions: num }),
  analyses: obj({ running: num, queued: num }),
  problem: opt(str),
  set_aside: opt(arr(str)), // what a damaged store holds that is not believed
  tables: opt(obj({ men: num, wdl: num, dtz: num, own: num, problems: arr(str) })),
});
export type Health = Infer<typeof Health>;

export const EngineProcess = obj({
  index: num,
  state: str,
  pid: nullable(num),
  analysis: nullable(num),
  fen: nullable(str),
  line: nullable(arr(str)),
  depth: nullable(num),
  nodes: nullable(num),
  nps: nullable(num),
  restarts: num,
  deaths_last_minute: num,
  unstable: bool, // it dies so often that it comes back only after growing pauses
  jobs: num,
  busy: num,
  problem: nullable(str),
});
export type EngineProcess = Infer<typeof EngineProcess>;

export const Noise = obj({ sigma_cp: num, pairs: num });
export type Noise = Infer<typeof Noise>;

const OptionValue = either(str, num, bool);
export const Engine = obj({
  name: str,
  default: bool,
  identity: nullable(obj({ name: str, network: opt(nullable(str)), options: dict(OptionValue) })),
  problem: nullable(str),
  noise: opt(nullable(Noise)), // null: not measured yet
  processes: arr(EngineProcess),
});
export type Engine = Infer<typeof Engine>;
export const Engines = obj({ engines: arr(Engine) });

export const EngineScore = obj({
  score: Score,
  depth: num,
  nodes: num,
  engine: str,
  at: num,
  limit: opt(Limit),
});
export type EngineScore = Infer<typeof EngineScore>;

export const Estimate = obj({ cp: num, low: num, high: num, searches: num });
export type Estimate = Infer<typeof Estimate>;

export const MoveStatus = lit(
  'expanded',
  'leaf',
  'queued',
  'searching',
  'excluded',
  'repetition',
  'terminal',
  'unscored',
);
export type MoveStatus = Infer<typeof MoveStatus>;

export const NodeMove = obj({
  uci: str,
  san: str,
  engine: nullable(EngineScore),
  idea: MaybeScore,
  alpha: MaybeScore,
  status: MoveStatus,
  positions: num,
  transposition: bool,
  source: lit('engine', 'person', 'import', 'tables'),
  estimate: opt(nullable(Estimate)),
  provisional: opt(bool), // scored by smaller limits only
  outvoted: opt(Score), // of what is below, where the engine's word stands against it
});
export type NodeMove = Infer<typeof NodeMove>;

export const Note = obj({ at: num, text: str });
export type Note = Infer<typeof Note>;

export const TreeNode = obj({
  fen: str,
  line: arr(Step),
  turn: lit('white', 'black'),
  status: str,
  terminal: nullable(str),
  idea: MaybeScore,
  alpha: MaybeScore,
  moves: arr(NodeMove),
  rest: obj({ count: num, bound: MaybeScore }),
  pv: obj({ idea: arr(Step), alpha: arr(Step) }),
  parents: arr(obj({ fen: str, uci: str, san: str })),
  opening: nullable(Opening),
  notes: arr(Note),
  proposals: opt(obj({ engine: num, person: num, import: num })), // moves by who brought them up
  version: num,
  estimate: opt(nullable(Estimate)),
  provisional: opt(bool), // not searched at the analysis's limit yet
  failure: opt(str), // why the engine could not answer here
});
export type TreeNode = Infer<typeof TreeNode>;

export interface Branch {
  uci: string | null;
  san: string | null;
  alpha: Score | null;
  idea: Score | null;
  status: string;
  positions: number;
  repeat: boolean;
  children: Branch[];
}
export const Branch: Check<Branch> = obj({
  uci: nullable(str),
  san: nullable(str),
  alpha: MaybeScore,
  idea: MaybeScore,
  status: str,
  positions: num,
  repeat: bool,
  children: arr(lazy(() => Branch)),
});
export const Tree = obj({ root: Branch, truncated: bool });
export type Tree = Infer<typeof Tree>;

export const Snapshot = obj({
  refine: num,
  at: num,
  evaluations: num,
  positions: num,
  engine_seconds: num,
  alpha: MaybeScore,
  idea: MaybeScore,
  moves: arr(obj({ uci: str, san: str, alpha: MaybeScore, idea: MaybeScore })),
  pv: arr(str),
  limit: opt(Limit),
  strategy: opt(obj({ ...strategyFields, refine: opt(num) })),
});
export type Snapshot = Infer<typeof Snapshot>;
export const History = obj({ snapshots: arr(Snapshot) });
export type History = Infer<typeof History>;

export const Changes = obj({
  since: num,
  now: num,
  evaluations: num,
  best: obj({ before: nullable(str), after: nullable(str) }),
  alpha: obj({ before: MaybeScore, after: MaybeScore }),
  pv: obj({ before: arr(str), after: arr(str) }),
  moves: arr(obj({ uci: str, san: str, before: MaybeScore, after: MaybeScore })),
  new_best: arr(obj({ line: arr(Step), before: Step, after: Step })),
  swings: arr(obj({ line: arr(Step), before: Score, after: Score, delta: num })),
  new_lines: arr(obj({ line: arr(Step), alpha: MaybeScore })),
});
export type Changes = Infer<typeof Changes>;

export const Disagreements = obj({
  disagreements: arr(obj({ line: arr(Step), engine: Score, alpha: Score, gap: num })),
  positions: num,
  truncated: bool,
});
export type Disagreements = Infer<typeof Disagreements>;

export const Evaluation = obj({
  id: num,
  engine: str,
  fingerprint: str,
  limit: Limit,
  excluded: arr(str),
  move: nullable(Step),
  score: MaybeScore,
  bound: str,
  depth: num,
  seldepth: num,
  nodes: num,
  time_ms: num,
  pv: arr(str),
  at: num,
});
export type Evaluation = Infer<typeof Evaluation>;
export const Evaluations = obj({ fen: str, evaluations: arr(Evaluation) });
export type Evaluations = Infer<typeof Evaluations>;

export const Positions = obj({
  fen: str,
  evaluations: num,
  analyses: arr(obj({ id: num, name: str, line: arr(str) })),
});
export type Positions = Infer<typeof Positions>;

export const OpeningLine = obj({ eco: str, name: str, pgn: str, uci: arr(str) });
export type OpeningLine = Infer<typeof OpeningLine>;
export const Openings = obj({ openings: arr(OpeningLine) });

const Taken = obj({ added: num, known: num });
const ImportError = obj({ record: num, line: num, message: str });
export const ImportReport = obj({
  records: num,
  moves: num,
  seeds: Taken,
  evaluations: obj({ added: num, known: num, unread: opt(num) }),
  sources: opt(arr(str)), // of the evaluations, as `accept` wants it
  analyses_added: num,
  skipped: num,
  broken: num,
  errors: arr(ImportError), // the first hundred
  warned: opt(num),
  warnings: opt(arr(ImportError)), // the first hundred
});
export type ImportReport = Infer<typeof ImportReport>;

export const Problem = obj({
  error: obj({ code: str, message: str, where: opt(str) }),
});
export type Problem = Infer<typeof Problem>;

export const Created = obj({ id: num });
export type Created = Infer<typeof Created>;

export const NodeEvent = obj({ analysis: num, version: num, fens: nullable(arr(str)) });
export type NodeEvent = Infer<typeof NodeEvent>;

// What the page sends.

export interface NewAnalysis {
  name?: string;
  position: { fen?: string; moves?: string[] };
  engine?: string;
  limit: Limit;
  strategy?: Strategy;
  budget?: Budget;
  stop?: Partial<Stop>;
  window?: string;
  priority?: number;
  hold?: boolean;
}

export interface AnalysisPatch {
  name?: string;
  hold?: boolean;
  priority?: number;
  limit?: Limit;
  strategy?: Partial<Strategy>;
  budget?: Budget;
  stop?: Partial<Stop>;
  accept?: string[];
  window?: string | null;
  rank?: number;
}

export type Directive = { moves: string[] } & (
  | { action: 'include' | 'exclude' | 'clear' | 'now' }
  | { action: 'deepen'; plies?: number }
  | { action: 'note'; text: string }
);

export type ImportFormat = 'pgn' | 'epd' | 'jsonl';
export type ExportFormat = 'pgn' | 'epd' | 'polyglot' | 'json';
