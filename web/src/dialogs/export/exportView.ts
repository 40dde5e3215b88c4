// The export dialog: what, how much, a look at it, and the ways to take it along.
import { run, type Ctx } from '../../ctx';
import { bytes } from '../../ui/format';
import { copyText } from '../../ui/copy';
import { choices } from '../../data/described';
import type { ExportFormat } from '../../data/types';
import { button, checkbox, choice, field, h, input, segments, type VNode } from '../../ui/dom';
import { dialog } from '../../ui/dialog';
import * as ctrl from './exportCtrl';
import type { ExportState } from './exportState';

export { openExport } from './exportCtrl';

// Short names are abbreviations.
const captionOf = (format: ExportFormat): string =>
  format.length > 4 ? format[0]!.toUpperCase() + format.slice(1) : format.toUpperCase();

const formats = choices.formats.map((format): [ExportFormat, string] => [format, captionOf(format)]);

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
        h('div.fields', [
          field({
            id: 'export-side',
            label: 'Repertoire',
            control: attrs =>
              choice(
                attrs,
                e.side,
                [
                  ['both', 'None: all moves of both'],
                  ['white', 'White: my answers, else its best move'],
                  ['black', 'Black: my answers, else its best move'],
                ],
                side => ctrl.change(ctx, e, { side: side as ExportState['side'] }),
              ),
          }),
          e.format === 'pgn' ? commentsField(ctx, e) : null,
        ]),
        e.side === 'both'
          ? null
          : checkbox('export-own', 'Only my own moves are answers', e.ownOnly, ownOnly =>
              ctrl.change(ctx, e, { ownOnly }),
            ),
        e.format === 'pgn' ? partFields(ctx, e) : null,
        ...(e.format === 'pgn' ? pgnBoxes(ctx, e) : []),
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
        h('h3', 'To send to somebody'),
        h('div.actions.left', [
          button('', {
            label: e.making ? 'Making it…' : 'One HTML page',
            title: 'Boards, moves, tree, graph and notes in one file that any browser shows',
            testid: 'html',
            disabled: e.making || Object.keys(problems).length > 0,
            run: () => run(ctx, ctrl.downloadPage(ctx, e)),
          }),
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

const commentsField = (ctx: Ctx, e: ExportState): VNode =>
  field({
    id: 'export-comments',
    label: 'Comments',
    control: attrs =>
      choice(
        attrs,
        e.comments,
        [
          ['all', 'At every move'],
          ['branches', 'At choices and ends'],
          ['leaves', 'At the ends of lines'],
          ['none', 'None'],
        ],
        comments => ctrl.change(ctx, e, { comments: comments as ExportState['comments'] }),
      ),
  });

const partFields = (ctx: Ctx, e: ExportState): VNode =>
  h('div.fields', [
    field({
      id: 'export-mine',
      label: 'Of mine',
      control: attrs =>
        choice(
          attrs,
          e.mine,
          [
            ['all', 'Moves, notes, arrows, files'],
            ['annotated', 'Only where something is said'],
            ['none', 'Nothing'],
          ],
          mine => ctrl.change(ctx, e, { mine: mine as ExportState['mine'] }),
        ),
    }),
    field({
      id: 'export-engine',
      label: 'Of the engine',
      control: attrs =>
        choice(
          attrs,
          e.engine,
          [
            ['all', 'Moves within the bounds'],
            ['best', 'The best moves'],
            ['none', 'Nothing'],
          ],
          engine => ctrl.change(ctx, e, { engine: engine as ExportState['engine'] }),
        ),
    }),
  ]);

const pgnBoxes = (ctx: Ctx, e: ExportState): VNode[] => [
  checkbox('export-game', 'Begin with the moves of the game', e.fromGame || e.study, fromGame =>
    ctrl.change(ctx, e, { fromGame, study: e.study && fromGame }),
  ),
  checkbox('export-marks', 'Glyphs by loss, arrows at choices', e.marks || e.study, marks =>
    ctrl.change(ctx, e, { marks, study: e.study && marks }),
  ),
  checkbox('export-study', 'For a lichess study, at most 2,500 moves', e.study, study =>
    ctrl.change(ctx, e, { study }),
  ),
];

function previewText(e: ExportState): string {
  if (!e.preview) return '';
  if (e.format === 'polyglot') return `${Math.floor(e.preview.size / 16)} book entries of 16 bytes.`;
  const more = e.preview.size > e.preview.text.length ? '\n…' : '';
  return e.preview.text + more;
}

const size = (e: ExportState): string => `${bytes(e.preview!.size)}${e.loading.busy ? ', changing' : ''}`;
