// The board's code, loaded by itself (boardView).
export { Chessground } from '@lichess-org/chessground';
