// The JSON that the server speaks, by the names that the page uses. Made from its description: `described.ts` is
// written by scripts/described.mjs. Scores are White's view; times are Unix milliseconds.
import type * as described from './described';

export type Score = described.Score;
export type Opening = described.OpeningName;
export type Step = described.Move;
export type Limit = described.Limit;
export type Strategy = described.Strategy;
export type StrategyKind = Strategy['kind'];
export type PlyPlan = described.PlyPlans[number];
export type Budget = described.Budget;
export type Stop = described.Stop;
export type Best = described.Answer;
export type Analysis = described.Analysis;
export type AnalysisState = Analysis['state'];
export type Health = described.Health;
export type Engine = described.Engine;
export type EngineProcess = described.EngineProcess;
export type EngineScore = described.EngineScore;
export type Estimate = NonNullable<described.EstimateOrNull>;
export type NodeMove = described.NodeMove;
export type MoveStatus = NodeMove['status'];
export type TreeNode = described.Node;
export type Tree = described.Tree;
export type Branch = described.TreeRoot | described.TreeNode;
export type Snapshot = described.Snapshot;
export type History = described.History;
export type Changes = described.Changes;
export type Disagreements = described.Disagreements;
export type Evaluation = described.Evaluation;
export type Evaluations = described.Evaluations;
export type Positions = described.KnownPosition;
export type ReadPosition = described.ReadPosition;
export type OpeningLine = described.Opening;
export type ImportReport = described.ImportReport;
export type Review = described.Review;
export type ReviewedMove = described.ReviewedMove;
export type ReviewedSide = described.ReviewedSide;
export type NodeEvent = described.NodeEvent;
export type NewAnalysis = described.NewAnalysis;
export type AnalysisPatch = described.AnalysisPatch;
export type Directive = described.NewDirective;

export type ImportFormat = 'pgn' | 'epd' | 'jsonl';
export type ExportFormat = (typeof described.choices.formats)[number];
