// The state of an analysis as word and sign, so that it does not hang on colour.
import type { AnalysisState } from '../data/types';
import { h, type VNode } from './dom';

export const stateWords: Record<AnalysisState, string> = {
  queued: 'Queued',
  running: 'Running',
  paused: 'Paused',
  settled: 'Settled',
  exhausted: 'Budget used',
  failed: 'Failed',
};

// Why it is in this state, where the badge does not say it all.
export const why = (a: { state: AnalysisState; reason: string | null }): string =>
  a.reason && a.state !== 'exhausted' ? `${a.reason[0]!.toUpperCase()}${a.reason.slice(1)}` : '';

export const stateBadge = (state: AnalysisState, reason: string | null): VNode =>
  h('span.badge', { attrs: { 'data-state': state, ...(reason && { title: reason }) } }, [
    h('i.sign'),
    stateWords[state],
  ]);
