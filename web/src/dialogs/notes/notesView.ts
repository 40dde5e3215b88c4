// All notes of an analysis: searched, and each a way to its position.
import { assign, run, type Ctx } from '../../ctx';
import { lineText, plyOf, sans, ucis } from '../../chess/chess';
import { marksOf, wordsOf } from '../../chess/marks';
import { answerOf } from '../../data/latest';
import type { Analysis, Note } from '../../data/types';
import { treeLink } from '../../router';
import { dialog } from '../../ui/dialog';
import { each, h, input, type VNode, alertLine } from '../../ui/dom';
import { moment, plural } from '../../ui/format';
import type { NotesState } from '../../state';

export function openNotes(ctx: Ctx, a: Analysis): void {
  const notes: NotesState = {
    id: a.id,
    title: a.name,
    ply: plyOf(a.fen),
    words: '',
    list: null,
    problem: null,
  };
  ctx.state.notes = notes;
  ctx.state.dialog = 'notes';
  run(ctx, load(ctx, notes));
  ctx.redraw();
}

async function load(ctx: Ctx, notes: NotesState): Promise<void> {
  const answer = await answerOf(ctx.api.notes(notes.id));
  if ('value' in answer) notes.list = answer.value;
  else notes.problem = answer.problem.message;
  ctx.redraw();
}

function placeLink(id: number, note: Note, text: string, close: () => void): VNode {
  const href = treeLink(id, ucis(note.line), 'moves');
  return h('a', { attrs: { href }, on: { click: close } }, text);
}

export function notesDialog(ctx: Ctx, notes: NotesState, close: () => void): VNode {
  const all = notes.list ?? [];
  const words = notes.words.toLowerCase().split(/\s+/).filter(Boolean);
  const told = ({ line, back = 0 }: Note): string =>
    lineText(notes.ply - back, sans(line)) || (back ? 'before the root' : 'the root');
  const found = all.filter(n => {
    const text = `${n.text} ${told(n)}`.toLowerCase();
    return words.every(word => text.includes(word));
  });
  return dialog('.all-notes', `Notes of ${notes.title}`, close, [
    h('div.filter', { attrs: { role: 'search', 'aria-label': 'Notes' } }, [
      input(
        { type: 'search', 'aria-label': 'Search the notes', placeholder: 'Words, moves' },
        notes.words,
        text => assign(ctx, notes, { words: text }),
      ),
      h(
        'span.muted',
        { attrs: { role: 'status' } },
        notes.list ? `${found.length} of ${plural(all.length, 'note')}` : '',
      ),
    ]),
    alertLine(notes.problem),
    notes.list && !all.length
      ? h('p.muted', [
          'None yet.',
          h('span.by-hand', ' Write one with m, or draw on the board with the right mouse button.'),
        ])
      : null,
    all.length && !found.length ? h('p.muted', `No note has “${notes.words.trim()}”.`) : null,
    each(
      'ul.dialog-list.note-list',
      { attrs: { tabindex: 0, role: 'list', 'aria-label': 'Notes' } },
      [...found].reverse(),
      note => {
        const drawing = marksOf(note.text).length;
        return h('li', { key: note.at, attrs: { 'data-testid': 'listed-note' } }, [
          note.back
            ? h('span.muted', `${told(note)}, not below the root`)
            : placeLink(notes.id, note, told(note), close),
          h('p', wordsOf(note.text) || plural(drawing, 'mark on the board', 'marks on the board')),
          h('time.muted.small', moment(note.at)),
        ]);
      },
    ),
  ]);
}
