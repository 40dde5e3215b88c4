// A button and what it opens beside it: the browser's own popover, closed by Escape or a click elsewhere.
import { h, type Child, type VNode } from './dom';

interface Opener {
  id: string; // of what it opens
  label: string; // its name, where `children` do not say it
  children: Child[];
  attrs?: Record<string, string>;
}

export function popover(selector: string, opener: Opener, children: Child[]): VNode[] {
  // Before the browser opens it.
  const place = (event: Event): void => {
    const { right, bottom } = (event.currentTarget as Element).getBoundingClientRect();
    const panel = document.getElementById(opener.id)!;
    const margin = 8;
    panel.style.right = `${Math.max(margin, document.documentElement.clientWidth - right)}px`;
    panel.style.top = `${bottom + 4}px`;
    panel.style.maxHeight = `calc(100dvh - ${bottom + 4 + margin}px)`;
  };
  return [
    h(
      `button${selector}`,
      {
        key: `${opener.id}-key`,
        attrs: {
          type: 'button',
          popovertarget: opener.id,
          'aria-label': opener.label,
          title: opener.label,
          ...opener.attrs,
        },
        on: { click: place },
      },
      opener.children,
    ),
    h(
      'div.popover',
      {
        key: opener.id,
        attrs: { id: opener.id, popover: 'auto', role: 'group', 'aria-label': opener.label },
      },
      children,
    ),
  ];
}
