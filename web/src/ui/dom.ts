// Snabbdom as the page uses it: one patch function, and short forms for what recurs.
import {
  attributesModule,
  classModule,
  eventListenersModule,
  h,
  init,
  propsModule,
  styleModule,
} from 'snabbdom';
import type { VNode, VNodeChildren, VNodeData } from 'snabbdom';

export const patch = init([classModule, propsModule, attributesModule, styleModule, eventListenersModule]);
export { h };
export type { VNode };
export type Child = VNode | string | null | undefined;

interface ButtonOptions {
  label: string; // accessible name; shown unless `icon`
  icon?: VNode;
  both?: boolean; // show the label beside the icon where there is room
  title?: string;
  key?: string;
  disabled?: boolean;
  pressed?: boolean;
  testid?: string;
  attrs?: Record<string, string | number | boolean>;
  run: (event: Event) => unknown;
}

export function button(selector: string, o: ButtonOptions): VNode {
  return h(
    `button${selector}`,
    {
      ...(o.key !== undefined && { key: o.key }),
      attrs: {
        type: 'button',
        ...(o.icon && { 'aria-label': o.label }),
        ...((o.title ?? o.icon) && { title: o.title ?? o.label }),
        ...(o.pressed !== undefined && { 'aria-pressed': String(o.pressed) }),
        ...(o.testid && { 'data-testid': o.testid }),
        disabled: o.disabled ?? false,
        ...o.attrs,
      },
      on: { click: event => void o.run(event) },
    },
    o.icon ? (o.both ? [o.icon, h('span', o.label)] : [o.icon]) : o.label,
  );
}

export function link(
  selector: string,
  href: string,
  children: VNodeChildren,
  attrs: Record<string, string> = {},
): VNode {
  return h(`a${selector}`, { attrs: { href, ...attrs } }, children);
}

interface FieldOptions {
  id: string;
  label: string;
  error?: string | undefined;
  hint?: string;
  control: (attrs: Record<string, string | boolean>) => VNode;
}

// A labelled control with its error beside it.
export function field(o: FieldOptions): VNode {
  const described = [o.error && `${o.id}-error`, o.hint && `${o.id}-hint`].filter(Boolean).join(' ');
  return h('div.field', { class: { wrong: Boolean(o.error) }, key: o.id }, [
    h('label', { attrs: { for: o.id } }, o.label),
    o.control({
      id: o.id,
      ...(o.error && { 'aria-invalid': 'true' }),
      ...(described && { 'aria-describedby': described }),
    }),
    o.hint ? h('p.hint', { attrs: { id: `${o.id}-hint` } }, o.hint) : null,
    o.error ? h('p.error', { attrs: { id: `${o.id}-error`, role: 'alert' } }, o.error) : null,
  ]);
}

export function input(
  attrs: Record<string, string | number | boolean>,
  value: string,
  set: (value: string) => void,
): VNode {
  return h('input', {
    attrs,
    props: { value },
    on: { input: event => set((event.target as HTMLInputElement).value) },
  });
}

export function choice(
  attrs: Record<string, string | number | boolean>,
  value: string,
  options: readonly (readonly [string, string])[],
  set: (value: string) => void,
): VNode {
  return h(
    'select',
    { attrs, on: { change: event => set((event.target as HTMLSelectElement).value) } },
    options.map(([key, label]) =>
      h('option', { attrs: { value: key }, props: { selected: key === value } }, label),
    ),
  );
}

export function checkbox(id: string, label: string, checked: boolean, set: (on: boolean) => void): VNode {
  return h('label.check', { attrs: { for: id } }, [
    h('input', {
      attrs: { id, type: 'checkbox' },
      props: { checked },
      on: { change: event => set((event.target as HTMLInputElement).checked) },
    }),
    h('span', label),
  ]);
}

// One of a few, side by side.
export function segments<T extends string>(
  label: string,
  value: T,
  options: readonly (readonly [T, string])[],
  set: (value: T) => void,
): VNode {
  return h(
    'div.segments',
    { attrs: { role: 'group', 'aria-label': label } },
    options.map(([key, text]) => button('', { label: text, pressed: key === value, run: () => set(key) })),
  );
}

// A list: each item as `view` shows it.
export const each = <T>(
  selector: string,
  data: VNodeData,
  items: readonly T[],
  view: (item: T, i: number) => Child,
): VNode => h(selector, data, items.map(view));

// What is typed in it goes nowhere but to `submit`.
export const form = (selector: string, data: VNodeData, submit: () => void, children: Child[]): VNode =>
  h(
    `form${selector}`,
    {
      ...data,
      on: {
        ...data.on,
        submit: event => {
          event.preventDefault();
          submit();
        },
      },
    },
    children,
  );

export const empty = (text: string, more: Child = null): VNode => h('div.empty', [h('p', text), more]);

export const hasReducedMotion = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

// Of an element that files can be dropped on. `dropping`: something is held over it, as set() was told;
// take() gets what is dropped and ends that.
export const dropHandlers = (
  dropping: boolean,
  set: (dropping: boolean) => void,
  take: (files: FileList | undefined) => void,
): Record<'dragover' | 'dragleave' | 'drop', (event: DragEvent) => void> => ({
  dragover: event => {
    event.preventDefault();
    if (!dropping) set(true);
  },
  dragleave: event => {
    if (!(event.currentTarget as Element).contains(event.relatedTarget as Node | null)) set(false);
  },
  drop: event => {
    event.preventDefault();
    take(event.dataTransfer?.files);
  },
});
