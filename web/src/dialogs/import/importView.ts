// The import dialog: a file, what to take of it, and the report.
import { run, type Ctx } from '../../ctx';
import { bytes, count, percent, plural } from '../../ui/format';
import { inOrder } from '../../data/store';
import type { Analysis, ImportFormat, ImportReport } from '../../data/types';
import { dialog } from '../../ui/dialog';
import { button, checkbox, choice, dropHandlers, field, form, h, input, segments } from '../../ui/dom';
import type { Child, VNode } from '../../ui/dom';
import * as ctrl from './importCtrl';
import type { ImportState } from './importState';

export { openImport } from './importCtrl';

const formats: [ImportFormat, string][] = [
  ['pgn', 'PGN'],
  ['epd', 'EPD'],
  ['jsonl', 'Lichess JSONL'],
];

export function importDialog(ctx: Ctx, i: ImportState, close: () => void): VNode {
  const busy = i.sent !== null;
  return dialog('.import', 'Import', close, [
    h('div.export-grid', { class: { dropping: i.dropping }, on: onDrop(ctx, i) }, [
      form('.export-form', { attrs: { novalidate: true } }, () => run(ctx, ctrl.submit(ctx, i)), [
        h('fieldset.bare', { attrs: { disabled: busy } }, [fileField(ctx, i), ...options(ctx, i)]),
        i.errors[''] ? h('p.error', { attrs: { role: 'alert' } }, i.errors['']) : null,
        h('div.actions.left', [
          h('button.primary', { attrs: { type: 'submit', disabled: busy } }, 'Import'),
          busy ? button('', { label: 'Stop', run: () => ctrl.stop(i) }) : null,
          busy ? h('span.muted', { attrs: { role: 'status' } }, percent(share(i))) : null,
        ]),
      ]),
      h('div.import-report', { attrs: { 'aria-busy': String(busy), 'data-testid': 'report' } }, [
        h('div', { attrs: { role: 'status' } }, i.report ? reportView(ctx, i, i.report) : explanation(i)),
        i.report && errorsView(i, i.report),
        i.report?.file ? toldView(i.report, i.report.file) : null,
      ]),
    ]),
  ]);
}

const share = (i: ImportState): number => (i.file?.size ? (i.sent ?? 0) / i.file.size : 0);

const onDrop = (ctx: Ctx, i: ImportState): ReturnType<typeof dropHandlers> =>
  dropHandlers(
    i.dropping || i.sent !== null,
    dropping => ctrl.set(ctx, { dropping }),
    files => {
      const own = document.querySelector<HTMLInputElement>('#import-file');
      if (own && files?.length && i.sent === null) own.files = files; // the field tells its name
      ctrl.choose(ctx, files?.[0] ?? null);
    },
  );

const fileField = (ctx: Ctx, i: ImportState): VNode =>
  field({
    id: 'import-file',
    label: 'File',
    error: i.errors['file'],
    hint: i.file
      ? bytes(i.file.size)
      : 'Games, EPD records or lichess’ evaluations. It can be dropped here, too.',
    control: attrs =>
      h('input', {
        attrs: { ...attrs, type: 'file', accept: '.pgn,.epd,.fen,.jsonl,.ndjson,.txt', autofocus: true },
        on: { change: event => ctrl.choose(ctx, (event.target as HTMLInputElement).files?.[0] ?? null) },
      }),
  });

function options(ctx: Ctx, i: ImportState): Child[] {
  const seeding = i.analysis !== null;
  return [
    segments('Format', i.format, formats, format => ctrl.set(ctx, { format })),
    field({
      id: 'import-analysis',
      label: 'Moves become seeds of',
      hint: seeding ? 'Scored by its engine where its search comes by.' : 'Only evaluations are kept.',
      control: attrs =>
        choice(attrs, String(i.analysis ?? ''), targets(ctx, i), id =>
          ctrl.set(ctx, { analysis: id ? Number(id) : null }),
        ),
    }),
    seeding && i.format === 'pgn'
      ? segments(
          'Which moves',
          i.moves,
          [
            ['all', 'With variations'],
            ['main', 'Main lines'],
          ],
          moves => ctrl.set(ctx, { moves }),
        )
      : null,
    seeding
      ? segments(
          'Whose moves',
          i.side,
          [
            ['both', 'Both sides'],
            ['white', 'White'],
            ['black', 'Black'],
          ],
          side => ctrl.set(ctx, { side }),
        )
      : null,
    seeding
      ? field({
          id: 'import-plies',
          label: 'Plies from the root',
          error: i.errors['plies'],
          control: attrs =>
            input(
              { ...attrs, inputmode: 'numeric', autocomplete: 'off', placeholder: 'all' },
              i.plies,
              plies => ctrl.set(ctx, { plies }),
            ),
        })
      : null,
    seeding
      ? checkbox('import-accept', 'Its evaluations count in this analysis', i.accept, accept =>
          ctrl.set(ctx, { accept }),
        )
      : null,
  ];
}

function targets(ctx: Ctx, i: ImportState): [string, string][] {
  const own = ctrl.target(ctx, i);
  const known: Analysis[] = inOrder(ctx.state.store.analyses.all());
  const all = own && !known.some(a => a.id === own.id) ? [own, ...known] : known;
  return [['', 'No analysis'], ...all.map(a => [String(a.id), a.name] as [string, string])];
}

const explanations: Record<ImportFormat, string> = {
  pgn: 'Moves of games become seeds, [%eval] comments and scores of engine matches evaluations.',
  epd: 'bm and pv become seeds, ce and dm evaluations.',
  jsonl: 'Lines of lichess’ evaluation export become evaluations.',
};

const explanation = (i: ImportState): Child[] => [
  h('p.muted', explanations[i.format]),
  h(
    'p.muted',
    'Evaluations are kept with where they come from. They count in an analysis that accepts them, and nowhere else.',
  ),
  h('p.muted', 'A game that cannot be read is named here with its line; up to there it counts.'),
];

const units: Record<ImportFormat, [string, string]> = {
  pgn: ['game', 'games'],
  epd: ['record', 'records'],
  jsonl: ['line', 'lines'],
};

function reportView(ctx: Ctx, i: ImportState, r: ImportReport): Child[] {
  const { name, format, seeded } = i.reported!;
  const taken = ({ added, known }: ImportReport['seeds']): string =>
    `${count(added)} added${known ? `, ${count(known)} known before` : ''}`;
  const row = (label: string, value: string): VNode[] => [h('dt', label), h('dd', value)];
  const one = ctrl.target(ctx, i)?.name ?? '';
  const missed = seeded && r.moves > 0 && r.seeds.added + r.seeds.known === 0;
  return [
    h('h3.cut', { attrs: { title: name } }, i.sent === null ? name : `${name}, so far`),
    h('dl.report', [
      ...row('Read', `${plural(r.records, ...units[format])}, ${plural(r.moves, 'move')}`),
      ...(seeded ? row('Seeds', taken(r.seeds)) : []),
      ...row(
        'Evaluations',
        taken(r.evaluations) +
          (r.evaluations.unread ? `, ${count(r.evaluations.unread)} not understood` : ''),
      ),
      ...(r.notes.added ? row('Notes', `${plural(r.notes.added, 'comment')} kept as notes`) : []),
      ...(seeded && format === 'pgn' ? row('File', keptText(i, r)) : []),
      ...(r.skipped ? row('Skipped', `${plural(r.skipped, ...units[format])} with nothing to take`) : []),
      ...(r.broken ? row('Broken', plural(r.broken, 'place')) : []),
    ]),
    missed ? h('p.muted', `No line of the file leads through the root of ${one || 'the analysis'}.`) : null,
    i.accepted ? h('p.muted', `Its evaluations count in ${one || 'the analysis'}.`) : null,
  ];
}

// What became of the file itself.
function keptText(i: ImportState, { file }: ImportReport): string {
  if (!file) return i.reported?.tooLarge ? 'not kept: it has more than 4 MiB' : 'not kept';
  const { mended, refused } = file;
  return [
    `${plural(file.games, 'game')} kept as they are${file.known ? ', known before' : ''}`,
    mended ? `${plural(mended, 'place')} mended` : '',
    refused ? `${plural(refused, 'place')} left out` : '',
  ]
    .filter(Boolean)
    .join(', ');
}

// Where it had to be mended, or something of it left out; without the places that are named already.
function toldView(r: ImportReport, file: NonNullable<ImportReport['file']>): VNode | null {
  const named = new Set([...r.errors, ...(r.warnings ?? [])].map(e => e.line));
  const places = file.told.filter(t => !named.has(t.line));
  const more = file.mended + file.refused - file.told.length;
  if (!places.length) return null;
  return h(
    'ol.import-errors',
    { attrs: { tabindex: 0, role: 'list', 'aria-label': 'Mended or left out', 'data-testid': 'told' } },
    [
      ...places.map(t =>
        h('li', [
          h('strong', `game ${t.game}, line ${t.line}${t.column ? `, column ${t.column}` : ''}`),
          ` ${t.message}`,
        ]),
      ),
      more > 0 ? h('li.muted', `and ${count(more)} more`) : null,
    ],
  );
}

function errorsView(i: ImportState, r: ImportReport): VNode | null {
  const places = [...r.errors, ...(r.warnings ?? [])];
  const more = r.broken + (r.warned ?? 0) - places.length;
  if (!places.length) return null;
  const { format } = i.reported!;
  return h(
    'ol.import-errors',
    { attrs: { tabindex: 0, role: 'list', 'aria-label': 'What could not be read', 'data-testid': 'errors' } },
    [
      ...places.map(e =>
        h('li', [
          h(
            'strong',
            format === 'jsonl' ? `line ${e.line}` : `${units[format][0]} ${e.record}, line ${e.line}`,
          ),
          ` ${e.message}`,
        ]),
      ),
      more > 0 ? h('li.muted', `and ${count(more)} more`) : null,
    ],
  );
}
