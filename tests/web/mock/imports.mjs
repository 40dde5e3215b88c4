// The mock's import: it reads games and reports, and keeps nothing.
import { parsePgn, startingPosition } from 'chessops/pgn';
import { parseSan } from 'chessops/san';
import { Refusal } from './analyses.mjs';

export function readGames(text, format, analysis) {
  if (format !== 'pgn') throw new Refusal(400, 'bad_value', 'The mock reads PGN only.', 'query.format');
  const errors = [];
  let moves = 0;
  const games = parsePgn(text);
  for (const [i, game] of games.entries()) {
    const position = startingPosition(game.headers).unwrap();
    for (const { san } of game.moves.mainline()) {
      const move = parseSan(position, san);
      if (!move) {
        errors.push({ record: i + 1, line: 1, message: `'${san}' is illegal` });
        break;
      }
      position.play(move);
      moves++;
    }
  }
  return {
    records: games.length,
    moves,
    seeds: { added: analysis ? moves : 0, known: 0 },
    evaluations: { added: 0, known: 0 },
    analyses_added: 0,
    notes: { added: 0 },
    skipped: 0,
    broken: errors.length,
    errors,
  };
}
