// The dialog in which an analysis is shared.
import { assign, run, type Ctx } from '../../ctx';
import type { ShareLink } from '../../data/types';
import { dialog } from '../../ui/dialog';
import { button, each, field, form, h, input, type VNode } from '../../ui/dom';
import { moment } from '../../ui/format';
import * as ctrl from './shareCtrl';
import { isLoopback, ownLinks, type ShareState } from './shareState';

export { openShare } from './shareCtrl';

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
    share.problem ? h('p.error', { attrs: { role: 'alert' } }, share.problem) : null,
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
  return form('.link-new', {}, () => run(ctx, ctrl.make(ctx, share)), [
    field({
      id: 'link-name',
      label: 'For whom',
      hint: 'Only you see this. One link for each person or group can be revoked alone.',
      control: attrs =>
        input({ ...attrs, autocomplete: 'off', maxlength: 60, placeholder: 'the club' }, share.name, name =>
          assign(ctx, share, { name }),
        ),
    }),
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
        run: () => run(ctx, ctrl.copy(ctx, link)),
      }),
      button('', {
        label: 'Revoke',
        attrs: { 'aria-label': `Revoke ${name}` },
        run: () => ctrl.ask(ctx, share, link.id),
      }),
    ]),
    share.asked === link.id
      ? h('div.link-ask', { attrs: { role: 'group', 'aria-label': `Revoke ${name}?` } }, [
          h('p', 'Whoever has it sees nothing from now on. This cannot be undone.'),
          h('div.actions', [
            button('', { label: 'Keep it', run: () => ctrl.ask(ctx, share, null) }),
            button('.danger', {
              label: 'Revoke for good',
              disabled: share.busy,
              run: () => run(ctx, ctrl.revoke(ctx, share, link)),
            }),
          ]),
        ])
      : null,
  ]);
}
