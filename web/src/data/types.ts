// The JSON that the server speaks, by the names that the page uses. Made from its description: `described.ts` is
// written by scripts/described.mjs. Scores are White's view; times are Unix milliseconds.
import type * as described from './described';

export type * from './described'; // but for those that have another name here:
export type Opening = described.OpeningName;
export type Step = described.Move;
export type StrategyKind = described.Strategy['kind'];
export type Note = described.Notes['notes'][number];
export type Game = described.Analysis['game'];
export type Best = described.Answer;
export type AnalysisState = described.Analysis['state'];
export type Estimate = NonNullable<described.EstimateOrNull>;
export type MoveStatus = described.NodeMove['status'];
export type TreeNode = described.Node;
export type Branch = described.TreeRoot | described.TreeNode;
export type Positions = described.KnownPosition;
export type OpeningLine = described.Opening;
export type ReviewRow = described.FileReview['games'][number];
export type ShareLink = described.Link;
export type NewShareLink = described.NewLink;
export type LookWish = described.NewLook;
export type Directive = described.NewDirective;
export type ListedFile = described.Files['files'][number];
export type KeptMove = NonNullable<described.KeptGame['moves']>[number];

export type ImportFormat = 'pgn' | 'epd' | 'jsonl';
export type ExportFormat = (typeof described.choices.formats)[number];
