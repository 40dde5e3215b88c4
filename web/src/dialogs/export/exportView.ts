// The export dialog: what, how much, a look at it, and the ways to take it along.
import { run } from '../../ctx';
import type { Ctx } from '../../ctx';
import { bytes } from '../../ui/format';
import { copyText } from '../../ui/copy';
import type { ExportFormat } from '../../data/types';
import { button, field, h, input, segments } from '../../ui/dom';
import type { VNode } from '../../ui/dom';
import { dialog } from '../../ui/dialog';
import * as ctrl from './exportCtrl';
import type { ExportState } from './exportState';

export { openExport } from './exportCtrl';

const formats: [ExportFormat, string][] = [
  ['pgn', 'PGN'],
  ['epd', 'EPD'],
  ['polyglot', 'Polyglot'],
  ['json', 'JSON'],
];

export function exportDialog(ctx: Ctx, e: ExportState, close: () => void): VNode {
  const problems = ctrl.fieldProblems(e);
  const bad = Object.keys(problems).length > 0 || e.problem !== null;
  return dialog('.export', 'Export', close, [
    h('div.export-grid', [
      h('div.export-form', [
        segments('Format', e.format, formats, format => ctrl.change(ctx, e, { format })),
        e.line.length
          ? segments(
              'From where',
              e.whole ? 'whole' : 'here',
              [
                ['here', 'From this position'],
                ['whole', 'From the root'],
              ],
              value => ctrl.change(ctx, e, { whole: value === 'whole' }),
            )
          : null,
        h('div.fields', [
          field({
            id: 'export-margin',
            label: 'Variations within (cp of the best)',
            error: problems.margin,
            control: attrs =>
              input({ ...attrs, type: 'number', step: 5, inputmode: 'numeric' }, e.margin, margin =>
                ctrl.change(ctx, e, { margin }),
              ),
          }),
          field({
            id: 'export-plies',
            label: 'To ply',
            error: problems.plies,
            control: attrs =>
              input({ ...attrs, type: 'number', inputmode: 'numeric' }, e.plies, plies =>
                ctrl.change(ctx, e, { plies }),
              ),
          }),
        ]),
        h('div.actions.left', [
          button('.primary', {
            label: `Download ${formats.find(([f]) => f === e.format)![1]}`,
            testid: 'download',
            attrs: { autofocus: true },
            disabled: bad,
            run: () => run(ctx, ctrl.download(ctx, e)),
          }),
          e.format === 'polyglot'
            ? null
            : button('', { label: 'Copy', disabled: bad, run: () => run(ctx, ctrl.copyAll(ctx, e)) }),
        ]),
        h('h3', 'This position'),
        h('div.actions.left', [
          button('', { label: 'Copy FEN', run: () => run(ctx, copyText(ctx, e.fen ?? '', 'FEN')) }),
          button('', { label: 'Board as SVG', run: () => run(ctx, ctrl.saveBoard(ctx, e, 'svg')) }),
          button('', { label: 'Board as PNG', run: () => run(ctx, ctrl.saveBoard(ctx, e, 'png')) }),
        ]),
        h('p.muted.small', 'The picture of the tree is saved from its own tab.'),
      ]),
      h('div.export-preview', { attrs: { 'aria-busy': String(e.loading.busy) } }, [
        e.problem ? h('p.error', { attrs: { role: 'alert' } }, e.problem) : null,
        h(
          'pre',
          { attrs: { tabindex: 0, role: 'region', 'aria-label': 'Preview', 'data-testid': 'preview' } },
          previewText(e),
        ),
        h('p.muted', { attrs: { 'data-testid': 'size' } }, e.preview ? size(e) : ' '),
      ]),
    ]),
  ]);
}

function previewText(e: ExportState): string {
  if (!e.preview) return '';
  if (e.format === 'polyglot') return `${Math.floor(e.preview.size / 16)} book entries of 16 bytes.`;
  const more = e.preview.size > e.preview.text.length ? '\n…' : '';
  return e.preview.text + more;
}

function size(e: ExportState): string {
  return `${bytes(e.preview!.size)}${e.loading.busy ? ', changing' : ''}`;
}
