// The dialogs whose code comes when they are opened.
import { run } from '../ctx';
import type { Ctx } from '../ctx';
import type { Analysis } from '../data/types';
import { Part } from '../ui/part';
import type { Subject } from './export/exportState';

export const exporting = new Part(() => import('./export/exportView'));
export const importing = new Part(() => import('./import/importView'));
export const settings = new Part(() => import('./settings/settingsView'));

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
