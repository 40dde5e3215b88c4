// A review is shown to others by the file that its game belongs to.
import type { Ctx } from '../../ctx';
import { openShare } from '../../dialogs/parts';
import type { Subject } from '../../dialogs/share/shareState';
import { button, type VNode } from '../../ui/dom';
import { icon } from '../../ui/icons';

export const shareButton = (ctx: Ctx, subject: Subject): VNode =>
  button('', {
    label: 'Share',
    icon: icon('share'),
    both: true,
    title: 'Share by a link that can only read',
    run: () => openShare(ctx, subject),
  });
