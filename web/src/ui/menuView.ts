// The one open menu: at its button, closed by Escape, Tab, a choice, or a click elsewhere.
import { assign, type Ctx } from '../ctx';
import { each, h, type VNode } from './dom';

export function closeMenu(ctx: Ctx): void {
  const opener = ctx.state.menu?.opener;
  ctx.state.menu = null;
  if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
  ctx.redraw();
}

function onKey(ctx: Ctx, event: KeyboardEvent): void {
  const menu = ctx.state.menu!;
  const { length } = menu.items;
  const to = (index: number): void => assign(ctx, menu, { active: (index + length) % length });
  if (event.key === 'ArrowDown') to(menu.active + 1);
  else if (event.key === 'ArrowUp') to(menu.active - 1);
  else if (event.key === 'Home') to(0);
  else if (event.key === 'End') to(length - 1);
  else if (event.key === 'Escape' || event.key === 'Tab') closeMenu(ctx);
  else if (event.key === 'Enter' || event.key === ' ') choose(ctx, menu.active);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function choose(ctx: Ctx, index: number): void {
  const item = ctx.state.menu?.items[index];
  if (!item || item.disabled) return;
  closeMenu(ctx);
  item.run();
}

const focusActive = (vnode: VNode): void => {
  const active = (vnode.elm as HTMLElement).querySelector<HTMLElement>('[data-active]');
  if (active && document.activeElement !== active) active.focus({ preventScroll: true });
};

export function menuView(ctx: Ctx): VNode | null {
  const { menu } = ctx.state;
  if (!menu) return null;
  const height = menu.items.length * 34 + 12;
  const below = menu.anchor.bottom + height < window.innerHeight;
  return h(
    'div.menu-layer',
    { key: 'menu', on: { pointerdown: event => event.target === event.currentTarget && closeMenu(ctx) } },
    [
      each(
        'div.menu',
        {
          attrs: { role: 'menu', 'aria-label': menu.label },
          style: {
            top: `${below ? menu.anchor.bottom + 4 : Math.max(8, menu.anchor.top - height - 4)}px`,
            right: `${Math.max(8, document.documentElement.clientWidth - menu.anchor.right)}px`,
          },
          hook: { insert: focusActive, postpatch: (_, vnode) => focusActive(vnode) },
          on: { keydown: event => onKey(ctx, event) },
        },
        menu.items,
        (item, i) =>
          h(
            'button',
            {
              attrs: {
                type: 'button',
                role: 'menuitem',
                tabindex: i === menu.active ? 0 : -1,
                'aria-disabled': String(item.disabled ?? false),
                ...(i === menu.active && { 'data-active': '' }),
              },
              class: { danger: item.danger ?? false },
              on: { click: () => choose(ctx, i) },
            },
            [h('span', item.label), item.hint ? h('kbd.by-hand', item.hint) : null],
          ),
      ),
    ],
  );
}
