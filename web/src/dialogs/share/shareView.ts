// The dialog in which an analysis is shared.
import { assign, run, type Ctx, explain } from '../../ctx';
import type { ShareLink } from '../../data/types';
import { dialog } from '../../ui/dialog';
import { button, each, form, h, type VNode, inputField, alertLine } from '../../ui/dom';
import { moment } from '../../ui/format';
import { isLoopback, ownLinks, type ShareState, initialShare, type Subject } from './shareState';
import { answerOf } from '../../data/latest';
import { copyText } from '../../ui/download';

// Links are made, copied and revoked.
export function openShare(ctx: Ctx, subject: Subject): void {
  const share = initialShare(subject);
  ctx.state.share = share;
  ctx.state.dialog = 'share';
  run(ctx, load(ctx, share));
  ctx.redraw();
}

async function load(ctx: Ctx, share: ShareState): Promise<void> {
  const answer = await answerOf(ctx.api.links(share.id));
  if ('value' in answer) share.list = answer.value;
  else share.problem = answer.problem.message;
  ctx.redraw();
}

const addressOf = ({ path }: ShareLink): string => `${location.origin}${path}`;

const copy = (ctx: Ctx, link: ShareLink): Promise<void> => copyText(ctx, addressOf(link), 'Link');

// One call at a time; what goes wrong is told in the dialog.
async function change(ctx: Ctx, share: ShareState, call: () => Promise<unknown>): Promise<void> {
  if (share.busy) return;
  assign(ctx, share, { busy: true, problem: null });
  try {
    await call();
  } catch (error) {
    share.problem = explain(error);
  } finally {
    share.busy = false;
    ctx.redraw();
  }
}

const make = (ctx: Ctx, share: ShareState): Promise<void> =>
  change(ctx, share, async () => {
    const { id, file } = share;
    const link = await ctx.api.share(id, { name: share.name.trim(), ...(file !== null && { file }) });
    share.list = [...(share.list ?? []), link];
    share.name = '';
    await copy(ctx, link);
  });

const revoke = (ctx: Ctx, share: ShareState, link: ShareLink): Promise<void> =>
  change(ctx, share, async () => {
    await ctx.api.revoke(share.id, link.id);
    share.list = (share.list ?? []).filter(other => other.id !== link.id);
    share.asked = null;
  });

function ask(ctx: Ctx, share: ShareState, link: number | null): void {
  share.asked = link;
  ctx.redraw();
}

export function shareDialog(ctx: Ctx, share: ShareState, close: () => void): VNode {
  const links = ownLinks(share);
  const review = share.file !== null;
  return dialog('.sharing', review ? 'Share the review' : `Share ${share.title}`, close, [
    h(
      'p',
      review
        ? 'Whoever has a link can look at this review and its games, and download them. Nothing else of this server is shown, and nothing can be changed.'
        : 'Whoever has a link can look at this analysis as it grows, with its notes and files, and download it. Nothing else of this server is shown, and nothing can be changed.',
    ),
    isLoopback(location.hostname)
      ? h('p.callout', { attrs: { 'data-testid': 'loopback' } }, [
          `You opened this page at ${location.host}: a link with that address opens on this machine only. `,
          'Open the page at an address that others reach, and make it there.',
        ])
      : null,
    makeView(ctx, share),
    alertLine(share.problem),
    share.list && !links.length ? h('p.muted', 'Nobody has a link yet.') : null,
    each(
      'ul.dialog-list.link-list',
      { attrs: { role: 'list', 'aria-label': 'Links that hold' } },
      links,
      link => linkView(ctx, share, link),
    ),
  ]);
}

function makeView(ctx: Ctx, share: ShareState): VNode {
  return form('.link-new', {}, () => run(ctx, make(ctx, share)), [
    inputField(
      {
        id: 'link-name',
        label: 'For whom',
        hint: 'Only you see this. One link for each person or group can be revoked alone.',
      },
      { autocomplete: 'off', maxlength: 60, placeholder: 'the club' },
      share.name,
      name => assign(ctx, share, { name }),
    ),
    h('div.actions', [
      h(
        'button.primary',
        { attrs: { type: 'submit', disabled: share.busy || share.list === null } },
        'Make a link and copy it',
      ),
    ]),
  ]);
}

function linkView(ctx: Ctx, share: ShareState, link: ShareLink): VNode {
  const name = link.name || 'a link without a name';
  return h('li', { key: link.id, attrs: { 'data-testid': 'link' } }, [
    h('div.link-row', [
      h('span.cut', link.name || h('span.muted', 'without a name')),
      h('time.muted.small', { attrs: { datetime: new Date(link.at).toISOString() } }, moment(link.at)),
      button('', {
        label: 'Copy',
        attrs: { 'aria-label': `Copy ${name}` },
        run: () => run(ctx, copy(ctx, link)),
      }),
      button('', {
        label: 'Revoke',
        attrs: { 'aria-label': `Revoke ${name}` },
        run: () => ask(ctx, share, link.id),
      }),
    ]),
    share.asked === link.id
      ? h('div.link-ask', { attrs: { role: 'group', 'aria-label': `Revoke ${name}?` } }, [
          h('p', 'Whoever has it sees nothing from now on. This cannot be undone.'),
          h('div.actions', [
            button('', { label: 'Keep it', run: () => ask(ctx, share, null) }),
            button('.danger', {
              label: 'Revoke for good',
              disabled: share.busy,
              run: () => run(ctx, revoke(ctx, share, link)),
            }),
          ]),
        ])
      : null,
  ]);
}
