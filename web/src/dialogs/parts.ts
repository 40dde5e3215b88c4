// The dialogs whose code comes when they are opened.
import { run } from '../ctx';
import type { Ctx } from '../ctx';
import type { Analysis } from '../data/types';
import { Part } from '../ui/part';
import { h } from '../ui/dom';
import type { VNode } from '../ui/dom';
import type { Topic } from './meaning/topics';
import type { Subject } from './export/exportState';
import type { Subject as Shareable } from './share/shareState';

export const exporting = new Part(() => import('./export/exportView'));
export const importing = new Part(() => import('./import/importView'));
export const settings = new Part(() => import('./settings/settingsView'));

export const labels = new Part(() => import('./labels/labelsView'));

export const notes = new Part(() => import('./notes/notesView'));

export const sharing = new Part(() => import('./share/shareView'));

export const meaning = new Part(() => import('./meaning/meaningDialog'));

export const openExport = (ctx: Ctx, subject: Subject): void =>
  run(
    ctx,
    exporting.load().then(part => part.openExport(ctx, subject)),
  );

// `analysis`: whose seeds are proposed; null = none.
export const openImport = (ctx: Ctx, analysis: number | null): void =>
  run(
    ctx,
    importing.load().then(part => part.openImport(ctx, analysis)),
  );

export const openSettings = (ctx: Ctx, analysis: Analysis): void =>
  run(
    ctx,
    settings.load().then(part => part.openSettings(ctx, analysis)),
  );

export const openLabels = (ctx: Ctx, analysis: Analysis): void =>
  run(
    ctx,
    labels.load().then(part => part.openLabels(ctx, analysis)),
  );

export const openTags = (ctx: Ctx, ids: number[]): void =>
  run(
    ctx,
    labels.load().then(part => part.openTags(ctx, ids)),
  );

export const openDelete = (ctx: Ctx, ids: number[]): void =>
  run(
    ctx,
    labels.load().then(part => part.openDelete(ctx, ids)),
  );

export const openNotes = (ctx: Ctx, analysis: Analysis): void =>
  run(
    ctx,
    notes.load().then(part => part.openNotes(ctx, analysis)),
  );

export const openShare = (ctx: Ctx, subject: Shareable): void =>
  run(
    ctx,
    sharing.load().then(part => part.openShare(ctx, subject)),
  );

export const openMeaning = (ctx: Ctx, topic: Topic): void =>
  run(
    ctx,
    meaning.load().then(() => {
      ctx.state.meaning = topic;
      ctx.state.dialog = 'meaning';
      ctx.redraw();
    }),
  );

// A word that tells what it means, by tap and by key.
export const what = (ctx: Ctx, topic: Topic, word: string, title = ''): VNode =>
  h(
    'button.explain',
    {
      attrs: { type: 'button', 'aria-haspopup': 'dialog', 'data-topic': topic, ...(title && { title }) },
      on: {
        click: event => {
          event.stopPropagation();
          openMeaning(ctx, topic);
        },
      },
    },
    [word, h('i', { attrs: { 'aria-hidden': 'true' } }, '?'), h('span.hidden', ', what is it?')],
  );
