// The dialogs whose code comes when they are opened.
import { assign, type Ctx } from '../ctx';
import type { Analysis } from '../data/types';
import { Part, usePart } from '../ui/part';
import { h, type VNode } from '../ui/dom';
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
  usePart(ctx, exporting, part => part.openExport(ctx, subject));

// `analysis`: whose seeds are proposed; null = none.
export const openImport = (ctx: Ctx, analysis: number | null): void =>
  usePart(ctx, importing, part => part.openImport(ctx, analysis));

export const openSettings = (ctx: Ctx, analysis: Analysis): void =>
  usePart(ctx, settings, part => part.openSettings(ctx, analysis));

export const openLabels = (ctx: Ctx, analysis: Analysis): void =>
  usePart(ctx, labels, part => part.openLabels(ctx, analysis));

export const openTags = (ctx: Ctx, ids: number[]): void =>
  usePart(ctx, labels, part => part.openTags(ctx, ids));

export const openDelete = (ctx: Ctx, ids: number[]): void =>
  usePart(ctx, labels, part => part.openDelete(ctx, ids));

export const openNotes = (ctx: Ctx, analysis: Analysis): void =>
  usePart(ctx, notes, part => part.openNotes(ctx, analysis));

export const openShare = (ctx: Ctx, subject: Shareable): void =>
  usePart(ctx, sharing, part => part.openShare(ctx, subject));

export const openMeaning = (ctx: Ctx, topic: Topic): void =>
  usePart(ctx, meaning, () => assign(ctx, ctx.state, { meaning: topic, dialog: 'meaning' }));

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
