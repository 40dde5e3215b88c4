// A modal dialog: the browser's own, so that focus stays inside and Escape closes.
import { button, h, type Child, type VNode } from './dom';
import { icon } from './icons';

export function dialog(selector: string, title: string, close: () => void, children: Child[]): VNode {
  return h(
    `dialog${selector}`,
    {
      key: `dialog${selector}`,
      attrs: { 'aria-label': title },
      hook: {
        insert: vnode => (vnode.elm as HTMLDialogElement).showModal(),
        // Closed by Escape and asked for again before the page was drawn: it is the same element, and the browser has closed it.
        postpatch: (_, vnode) => {
          const element = vnode.elm as HTMLDialogElement;
          if (element.open) return;
          delete element.dataset['told'];
          element.showModal();
        },
        // Closed by the browser's own means the focus goes back to where it was.
        remove: (vnode, done) => {
          const element = vnode.elm as HTMLDialogElement;
          element.dataset['told'] = '';
          element.close();
          done();
        },
      },
      on: {
        // Escape. The page knows it at once, so that the next key is its own; the browser tells `close` only later.
        cancel: event => {
          if (event.target !== event.currentTarget) return; // of a file field inside
          (event.currentTarget as HTMLElement).dataset['told'] = '';
          close();
        },
        close: event => {
          const element = event.currentTarget as HTMLDialogElement;
          if (!element.open && !('told' in element.dataset)) close();
        },
        // a click on the backdrop is a click on the dialog itself
        mousedown: event => {
          if (event.target === event.currentTarget) close();
        },
      },
    },
    [
      h('div.dialog', [
        h('header', [
          h('h2', title),
          button('.quiet.square', { label: 'Close', icon: icon('close'), run: close }),
        ]),
        h('div.dialog-body', children),
      ]),
    ],
  );
}
