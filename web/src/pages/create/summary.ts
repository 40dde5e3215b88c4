// What an analysis will do, in plain words. Pure.
import type { Store } from '../../data/store';
import type { Engine } from '../../data/types';
import { endOf, presets } from '../../setup/presets';
import { searchesIn, timeFor } from '../../setup/speed';
import { limits } from '../../data/described';
import { count, plural, span, timeLeft } from '../../ui/format';
import { planWords, readPlan } from '../../setup/rules';
import type { CreateState } from './createState';
import { strategyText } from '../../setup/strategies';

const pawnsOf = (cp: number): string => `${Number.isInteger(cp) ? cp : cp.toFixed(1)} cp`;

// The windows of `halving`, and of the tree of `anchored`: D at plies 0 and 1, then half each ply, never below the floor.
export function windows(distance: number, floor: number, plies: number): number[] {
  return Array.from({ length: plies }, (_, p) =>
    Math.max(Math.min(floor, distance), p < 2 ? distance : distance / 2 ** (p - 1)),
  );
}

// How many positions `halving` expands to a ply: from to. Moves within a window as counted in trees of
// openings by Stockfish 15.1 at depths 9 to 12, where trees of equal settings differed up to fourfold
// from the middle. Those of `anchored` have 2 to 10 % more (three trees of depth 12, 6 plies).
export function estimate(distance: number, floor: number, plies: number): [number, number] {
  let level = 1;
  let all = 0;
  for (const [p, window] of windows(distance, floor, plies).entries()) {
    all += level;
    level *= 1 + window * (p < 2 ? 0.1 : 0.06);
  }
  return [oneDigit(all / 4), oneDigit(all * 4)];
}

function oneDigit(n: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, n)));
  return Math.max(1, Math.round(n / unit) * unit);
}

// Nothing is reckoned with what the form would refuse: a tree of 1e9 plies would take all memory.
function within(text: string, [least, most]: readonly [number, number]): number | null {
  const value = Number(text);
  return text.trim() && value >= least && value <= most ? value : null;
}

const plies = (create: CreateState): number | null =>
  create.refine.trim() ? within(create.refine, limits['strategy.refine']) : 0;

export function summary(create: CreateState, store: Store, now: number): string[] {
  return [follow(create), each(create), ends(create), when(create, store), time(create, store, now)];
}

const engineOf = (create: CreateState, store: Store): Engine | null =>
  store.engines.all().find(e => (create.engine ? e.name === create.engine : e.default)) ?? null;

// What it takes, or what comes of the time that it has, by what was measured so far.
function time(create: CreateState, store: Store, now: number): string {
  const engine = engineOf(create, store);
  const analyses = store.analyses.all();
  const refine = plies(create);
  if (refine === null) return '';
  if (halves(create.strategy) && create.planMode === 'none' && refine) {
    const positions = estimate(Number(create.distance) || 0, Number(create.floor) || 0, refine);
    const range = timeFor(positions, create, engine, analyses);
    return range ? `That takes ${timeLeft(range)}, if the engine has nothing else to do.` : '';
  }
  const preset = presets.find(p => p.key === create.preset);
  if (!preset) return '';
  const seconds = (endOf(preset.key, now) - now) / 1000;
  const range = searchesIn(seconds, create, engine, analyses);
  return range ? `Usually ${count(oneDigit(range[0]))} to ${count(oneDigit(range[1]))} searches.` : '';
}

function ends(create: CreateState): string {
  const lead = Number(create.stopLead);
  const levels = Number(create.stopLevels) || 2;
  if (!create.stopLead.trim() || !(lead > 0)) return '';
  return `It ends early when the best move leads by ${lead} σ on ${plural(levels, 'level')} in a row.`;
}

// The plan in words; null where there is none to follow.
function planned(create: CreateState): string | null {
  if (create.planMode === 'none' || !strategyText(create.strategy).windowed) return null;
  const plan = readPlan(create.plan);
  return typeof plan === 'string' ? null : `Follow moves ${planWords(plan)} of the best`;
}

const halves = (kind: string): boolean => kind === 'halving' || kind === 'anchored';

function follow(create: CreateState): string {
  const words = followed(create);
  const anchored = create.strategy === 'anchored' && words;
  return anchored ? `${strategyText(create.strategy).hint} ${words}` : words;
}

function followed(create: CreateState): string {
  const distance = Math.max(0, Number(create.distance) || 0);
  const refine = plies(create);
  if (refine === null) return '';
  const plan = planned(create);
  if (plan) return refine ? `${plan}, to ply ${refine}.` : `${plan}, deeper and deeper until stopped.`;
  if (halves(create.strategy)) return halving(distance, Number(create.floor) || 0, refine);
  const { name, hint, windowed } = strategyText(create.strategy);
  const until = windowed ? (refine ? `, to ply ${refine}` : ', deeper and deeper until stopped') : '';
  const levels = windowed ? '' : refine ? ` It ends at level ${refine}.` : ' It goes on until stopped.';
  if (create.strategy === 'prove') return `${name}. ${hint}${levels}`;
  const first = windowed
    ? `Follow moves within ${pawnsOf(distance)} of the best${until}.`
    : `Every move and answer within ${pawnsOf(distance)} of the best, then on by cost.`;
  return `${name}. ${first} ${hint}${levels}`;
}

function halving(distance: number, floor: number, refine: number): string {
  const shown = windows(distance, floor, Math.min(refine || 5, 5)).slice(1);
  const steps = shown.filter((w, i) => i === 0 || w !== shown[i - 1]);
  const words = `Follow moves within ${steps.map(pawnsOf).join(', then ')} of the best`;
  if (!refine) return `${words}, deeper and deeper until stopped.`;
  const [from, to] = estimate(distance, floor, refine);
  return `${words}, to ply ${refine}: usually ${from === to ? '' : `${count(from)} to `}${count(to)} positions.`;
}

function each(create: CreateState): string {
  const value = Number(create.limitValue);
  if (!Number.isFinite(value) || value <= 0) return '';
  const [verb, amount, more] = lengths[create.limitKind];
  if (create.strategy !== 'anchored') return `Each search ${verb.one} ${amount(value)}.`;
  const long = firstLong(create.limitKind, value);
  return `Most searches ${verb.all} ${amount(value)}, those of the first moves ${more} with each level, the long one ${amount(long)} and more.`;
}

type Length = [verb: { one: string; all: string }, amount: (value: number) => string, more: string];

const lengths: Record<CreateState['limitKind'], Length> = {
  depth: [{ one: 'goes to', all: 'go to' }, value => `depth ${value}`, 'deeper'],
  nodes: [{ one: 'looks at', all: 'look at' }, value => `${count(value)} nodes`, 'at more'],
  movetime_ms: [
    { one: 'takes', all: 'take' },
    value => (value < 10_000 ? `${value} ms` : span(value / 1000)),
    'longer',
  ],
};

// The long search of `anchored` at level 1: eight times the limit, which is five plies (docs/internals/strategies.md).
const firstLong = (kind: CreateState['limitKind'], value: number): number =>
  kind === 'depth' ? value + 5 : value * 8;

function when(create: CreateState, store: Store): string {
  const parts: string[] = [];
  const positions = within(create.positions, limits['budget.positions']);
  const nodes = within(create.totalNodes, limits['budget.nodes']);
  const [least, most] = limits['budget.engine_seconds'];
  const minutes = within(create.engineMinutes, [least / 60, most / 60]);
  if (positions) parts.push(`at most ${count(positions)} positions`);
  if (nodes) parts.push(`at most ${count(nodes)} nodes in all`);
  if (minutes) parts.push(engineTime(minutes * 60, engineOf(create, store)?.processes.length ?? 1));
  if (create.until) parts.push(`until ${create.until.replace('T', ' ')}`);
  if (create.windowOn) parts.push(hours(create.windowFrom, create.windowTo));
  const limited = parts.length ? sentence(parts.join(', ')) : 'No limit on positions, nodes or time.';
  // With this strategy one search may have as much as all before it together.
  const ends = create.strategy === 'anchored' && (create.until || minutes || create.windowOn);
  const made = ends ? `${limited} The last long search is made to end by then.` : limited;
  const budget = minutes ? `${made} While it waits or is paused, no engine time passes.` : made;
  return create.hold ? `${budget} It waits, paused, until you resume it.` : budget;
}

// It is summed over the processes of the engine.
const engineTime = (seconds: number, processes: number): string => {
  const all = `at most ${span(seconds)} of engine time`;
  return processes > 1
    ? `${all} (${span(seconds / processes)} with all ${processes} processes at work)`
    : all;
};

// The hours are the server's, which may be in another zone than the browser.
const hours = (from: string, to: string): string => `only ${from}–${to} by the server’s clock`;

const sentence = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}.`;
