// What the numbers and signs of the tree mean, in words for who sees them for the first time.

export type Topic =
  | 'alpha'
  | 'idea'
  | 'engine'
  | 'estimate'
  | 'delta'
  | 'sigma'
  | 'windows'
  | 'arrows'
  | 'picture'
  | 'order';

export interface Meaning {
  title: string;
  text: readonly string[];
  example?: boolean; // the repetition is shown with it
}

export const meanings: Record<Topic, Meaning> = {
  alpha: {
    title: 'tree (alpha)',
    text: [
      'What a move is worth on the line that you look at; other places call it alpha. The tree takes the best answer of each side, down to its ends, and brings the score up. The table is in this order.',
      'A position that stands on the line already counts as a draw, since both sides have chosen to come back to it.',
      'All scores are White’s, in pawns: +0.30 is good for White, −0.30 for Black. #3: White mates in three moves. #−3: Black does.',
    ],
    example: true,
  },
  idea: {
    title: 'without repetition (idea)',
    text: [
      'The same without the history of the line, called idea in other places: what the move would be worth if nothing had stood on the board before. It is shown where the two differ.',
      'They differ where a repetition decides. If it is better than the tree’s score for the side to move, the opponent can answer with a repetition. If it is worse, the repetition saves the side to move.',
    ],
    example: true,
  },
  engine: {
    title: 'deep search (engine)',
    text: [
      'The engine’s own score of the move, from the largest search of it. Depth is the depth of that search. An analysis by “Anchored” searches its best move deeper than all others, and at the end of a level its best moves together: that decides which is first, and none of the others is shown as worth as much.',
      'The tree knows what comes after it. Where the two are far apart, one of them is wrong: “Over time” lists these places below Disagreements.',
    ],
  },
  estimate: {
    title: 'estimate',
    text: [
      'A third opinion, written with ≈: the engine’s word on a move and the score from below it, each weighted by the work behind it. It has an interval in which it lies nine times of ten.',
      'Nothing is decided by it. It says how sure one can be.',
    ],
  },
  delta: {
    title: 'Δ, behind the best',
    text: [
      'How far a move is behind the best one, in pawns, for the side to move.',
      'Two moves that are less than 2 σ apart may change places when they are searched again.',
    ],
  },
  sigma: {
    title: 'σ, the noise',
    text: [
      'Two searches of one position do not give the same score. σ says how far apart they are for this engine, measured from its own searches. 100 cp are a pawn.',
      'Differences below 2 σ say little.',
    ],
  },
  windows: {
    title: 'Windows, and the other moves',
    text: [
      'Every move within the window of the best one is followed. The window is the move distance at the root and half as wide with every ply, so that 0.30 becomes 0.15, 0.07 and 0.05.',
      '“33 other legal moves: at most −0.07”: the engine searched all of them together, and none is better than that. If the best move falls so far, they come in.',
      'With Include a move is followed whatever its score, with Exclude it is no part of the game.',
    ],
  },
  arrows: {
    title: 'Arrows',
    text: [
      'The three best moves of the table on the board. The best one is the widest arrow; the next ones are thinner and fainter. Violet: the move that you have chosen with ↑ and ↓.',
      'The bar beside the board shows White’s wins, draws and Black’s wins, where the engine tells them; else White’s part of the point by the score of the position.',
      'You can draw your own arrows and circles with the right mouse button (with Shift or Ctrl red, with Alt blue). They lie above the others, stay with the position, and PGN has them. Draw one again and it goes.',
    ],
  },
  picture: {
    title: 'The picture',
    text: [
      'The whole tree at once, from left to right: each column is a ply, each cell a move. A cell is the higher, the more positions below it were searched.',
      'Light amber: White is better. Dark violet: Black is better. The best line is framed. A pale cell is worked out in another place.',
      'Click a cell to go there; the wheel, or two fingers, zoom.',
    ],
  },
  order: {
    title: 'The order of the queue',
    text: [
      'Higher priority goes first, always. The others wait, or get the engines that it leaves free.',
      'Equal priorities share the engines equally. Drag an analysis ahead of older ones, or move it with the arrow keys, and it gets twice as many searches as each of them. The server keeps that order.',
      '“Analyse now” in a tree goes before everything, for one position.',
      'Sorting by name, date or state changes what you see, not what is worked on.',
    ],
  },
};

export const topics = Object.keys(meanings) as Topic[];
