// How a score looks: text in tabular figures, coloured by who is better.
import { order, result, text, words } from '../chess/score';
import type { Score } from '../data/types';
import { h, type VNode } from './dom';

const tone = (score: Score | null): string => {
  if (!score) return 'none';
  const value = order(score);
  return value > 12 ? 'white' : value < -12 ? 'black' : 'even';
};

export interface ScoreOptions {
  trend?: 'up' | 'down' | undefined; // it has just changed
  key?: string;
  title?: string;
}

export function scoreView(selector: string, score: Score | null, o: ScoreOptions = {}): VNode {
  return h(
    `span.score${selector}`,
    {
      key: `${o.key ?? ''}${o.trend ? `${text(score)}${o.trend}` : ''}`,
      attrs: { title: o.title ?? words(score), 'data-tone': tone(score) },
      class: { up: o.trend === 'up', down: o.trend === 'down' },
    },
    score && result(score) ? [h('small', 'TB'), ` ${result(score)}`] : text(score),
  );
}
