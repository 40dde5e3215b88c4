// Places in all analyses that are worth a look, each with its search.
import { run } from '../../ctx';
import type { Ctx } from '../../ctx';
import { nameOf } from '../../chess/material';
import type { RadarEntry } from '../../data/types';
import { treeLink } from '../../router';
import { button, h, link } from '../../ui/dom';
import type { VNode } from '../../ui/dom';
import { moment, plural } from '../../ui/format';
import { entryKey, searchThis } from './summaryCtrl';
import type { SummaryState } from './summaryState';

const kinds: Record<RadarEntry['kind'], string> = {
  refutation: 'Refuted',
  rejoin: 'One reply from the tree',
  left: 'Leaves your files',
  letter: 'Less sure',
};

// null: there is nothing to tell yet, or nothing at all.
export function radarView(ctx: Ctx, summary: SummaryState): VNode | null {
  const { radar, radarProblem } = summary;
  if (radarProblem) return h('p.error', { attrs: { role: 'alert' } }, radarProblem);
  const unseen = radar?.unseen
    ? h('p.muted', `Not looked at this time: ${plural(radar.unseen, 'analysis', 'analyses')}.`)
    : null;
  if (!radar?.entries.length) return unseen;
  return h('section.radar', { attrs: { 'aria-labelledby': 'radar', 'data-testid': 'radar' } }, [
    h('h2', { attrs: { id: 'radar' } }, 'Worth a look'),
    h(
      'ul.changed-list',
      { attrs: { role: 'list' } },
      radar.entries.map(entry => entryView(ctx, summary, entry)),
    ),
    radar.more ? h('p.muted', `and ${radar.more} more`) : null,
    unseen,
  ]);
}

function entryView(ctx: Ctx, summary: SummaryState, entry: RadarEntry): VNode {
  const { analysis, kind, line, text, at } = entry;
  const asked = summary.asked.has(entryKey(entry));
  const name = nameOf(analysis.name);
  return h('li', { key: entryKey(entry), attrs: { 'data-testid': 'radar-entry', 'data-kind': kind } }, [
    h('div.changed-head', [
      h('h3', [
        link(
          '',
          treeLink(
            analysis.id,
            line.map(s => s.uci),
          ),
          name,
        ),
      ]),
      h('span.badge', kinds[kind]),
      h('span.muted.small', moment(at)),
      button('.text.radar-search', {
        label: asked ? 'Asked' : 'Search this',
        title: `${name}: ${effect(entry)}`,
        disabled: asked || ctx.state.link.status === 'offline',
        run: () => run(ctx, searchThis(ctx, summary, entry)),
      }),
    ]),
    h('p.radar-text', `${text}.`),
  ]);
}

// What the press does.
const effect = ({ search, after }: RadarEntry): string =>
  search.action === 'verify'
    ? 'search what the answer rests on again, before all others'
    : search.action === 'include'
      ? 'include the reply'
      : `go two plies deeper after ${after}`;
