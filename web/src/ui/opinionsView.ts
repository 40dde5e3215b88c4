// Where the one long search of an analysis and its tree name different moves: both, with what they
// say of them.
import type { Best } from '../data/types';
import { h } from './dom';
import type { VNode } from './dom';
import { scoreView } from './scoreView';

export const opinionsView = ({ anchor, tree }: Best): VNode | null =>
  anchor && tree
    ? h('span.best-opinions.muted', { key: 'opinions', attrs: { 'data-testid': 'opinions' } }, [
        `long search ${anchor.san} `,
        scoreView('', anchor.score),
        `, tree ${tree.san} `,
        scoreView('', tree.score),
      ])
    : null;
