// Notes on the position, and the other ways into it.
import { wordsOf } from '../../chess/marks';
import { openNotes } from '../../dialogs/parts';
import { lineText, positionKey, sanLine, sans } from '../../chess/chess';
import { run, type Ctx } from '../../ctx';
import { moment } from '../../ui/format';
import { treeLink } from '../../router';
import { closeNote, deleteNote, dropDraft, editNote, openNote, saveNote, writeNote } from './steer/steerCtrl';
import { button, each, form, h, link, type VNode } from '../../ui/dom';
import { here, otherParents, rootPly, type TreeState } from './treeState';

// Of a position that is not known yet there are none, unless one is being written.
export function notesView(ctx: Ctx, tree: TreeState): VNode | null {
  if (!here(tree) && tree.note === null && !tree.draft) return null;
  const notes = (here(tree)?.notes ?? []).filter(note => wordsOf(note.text)); // drawings are on the board
  const a = tree.analysis;
  const key = `notes ${tree.line.join()}`;
  return h('section.notes', { key, attrs: { 'aria-label': 'Notes' } }, [
    h('div.section-head', [
      h('h2', 'Notes'),
      tree.note === null && !ctx.state.shared
        ? button('.text', { label: 'Write a note', title: 'Write a note (m)', run: () => openNote(ctx) })
        : null,
      a ? button('.text', { label: 'All notes…', run: () => openNotes(ctx, a) }) : null,
    ]),
    ...notes.map(note =>
      h('div.note', { key: note.at, attrs: { 'data-testid': 'note' } }, [
        h('p', wordsOf(note.text)),
        h('time.muted', { attrs: { datetime: new Date(note.at).toISOString() } }, moment(note.at)),
        ctx.state.shared
          ? null
          : h('span.note-actions', [
              button('.text', { label: 'Edit', run: () => editNote(ctx, tree, note) }),
              button('.text', { label: 'Delete', run: () => run(ctx, deleteNote(ctx, note)) }),
            ]),
      ]),
    ),
    tree.note === null ? draftView(ctx, tree) : editor(ctx, tree),
  ]);
}

function draftView(ctx: Ctx, tree: TreeState): VNode | null {
  const { draft } = tree;
  return (
    draft &&
    h('div.note', { key: 'draft', attrs: { 'data-testid': 'draft' } }, [
      h('p', draft.text),
      h('span.muted', 'not saved'),
      h('span.note-actions', [
        button('.text', { label: 'Go on writing', run: () => openNote(ctx) }),
        button('.text', { label: 'Discard', run: () => dropDraft(ctx, tree) }),
      ]),
    ])
  );
}

function editor(ctx: Ctx, tree: TreeState): VNode {
  const cancel = (): void => closeNote(ctx, tree);
  return form('.note-editor', { key: 'editor' }, () => run(ctx, saveNote(ctx)), [
    h('label.hidden', { attrs: { for: 'note' } }, 'Note'),
    h('textarea', {
      attrs: { id: 'note', rows: 2, maxlength: 10_000 },
      props: { value: tree.note ?? '' },
      hook: { insert: vnode => (vnode.elm as HTMLElement).focus() },
      on: {
        input: event => writeNote(tree, (event.target as HTMLTextAreaElement).value),
        keydown: event => {
          if (event.key === 'Escape') cancel();
          else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run(ctx, saveNote(ctx));
          else return;
          event.preventDefault();
        },
      },
    }),
    h('div.actions', [
      button('', { label: 'Cancel', run: cancel }),
      h('button.primary', { attrs: { type: 'submit' } }, 'Save the note'),
    ]),
  ]);
}

// Other ways into the position, as lines once they are known.
export function parentsView(tree: TreeState): VNode | null {
  const others = otherParents(tree);
  const fen = tree.analysis?.fen;
  if (!others.length || !fen) return null;
  const shown = others.slice(0, 6);
  return h('section.parents', { attrs: { 'aria-label': 'Also reached by', 'data-testid': 'parents' } }, [
    h('h2', 'Also reached by'),
    each('ul', {}, shown, p => {
      const way = tree.ways.get(positionKey(p.fen));
      if (!way)
        return h('li.muted', { key: p.fen + p.uci }, [
          h('span.san', p.san),
          way === null ? ' from elsewhere in the graph' : '', // else its line is on its way
        ]);
      const line = [...way, p.uci];
      const text = lineText(rootPly(tree.analysis!), sans(sanLine(fen, line)));
      return h('li', { key: p.fen + p.uci }, [link('', treeLink(tree.id, line, tree.tab), text)]);
    }),
    others.length > shown.length ? h('p.muted', `and ${others.length - shown.length} more`) : null,
  ]);
}
