// Reviews that this browser kept by itself, before the server did: they move there, once.
import { sanLine } from '../../chess/chess';
import type { Ctx } from '../../ctx';
import { answerOf } from '../../data/latest';
import { load as loadPref, save } from '../../data/prefs';
import type { Analysis } from '../../data/types';
import { pgnOf, players, type Tags } from './games';

interface Kept {
  id: number;
  line: string;
  tags: Tags;
  text?: string; // the game as it came
}

function kept(): Kept[] {
  try {
    const parsed: unknown = JSON.parse(loadPref('reviews') ?? '[]');
    return Array.isArray(parsed) ? (parsed as Kept[]) : [];
  } catch {
    return []; // not ours
  }
}

// The oldest first. Those whose analysis is gone stay where they are.
export async function moveIn(ctx: Ctx, analyses: readonly Analysis[]): Promise<void> {
  const left = kept();
  for (const one of [...left].reverse()) {
    const analysis = analyses.find(a => a.id === one.id);
    if (!analysis) continue;
    const sans = sanLine(analysis.fen, one.line.split(',')).map(s => s.san);
    const pgn = one.text ?? pgnOf(one.tags, analysis.fen, sans);
    const name = players(one.tags) || 'Pasted games';
    const answer = await answerOf(ctx.api.addFile(one.id, { name, pgn, seeds: false }));
    if (!('value' in answer)) continue;
    left.splice(left.indexOf(one), 1);
    save('reviews', left.length ? JSON.stringify(left) : null);
  }
}
