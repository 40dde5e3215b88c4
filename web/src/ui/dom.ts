// Snabbdom as the page uses it: one patch function, and short forms for what recurs.
import {
  attributesModule,
  classModule,
  eventListenersModule,
  h,
  init,
  propsModule,
  styleModule,
  type VNode,
  type VNodeChildren,
  type VNodeData,
} from 'snabbdom';

// Whether the pointer itself was moved. Some browsers tell of a pointer that rests, too, when what is drawn under it has
// changed: nobody has pointed at that.
export const hasMoved = (event: MouseEvent): boolean => event.movementX !== 0 || event.movementY !== 0;

export const patch = init([classModule, propsModule, attributesModule, styleModule, eventListenersModule]);
export { h };
export type { VNode };
export type Attrs = Record<string, string | number | boolean>;
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
  attrs?: Attrs;
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

export function input(attrs: Attrs, value: string, set: (value: string) => void): VNode {
  return h('input', {
    attrs,
    props: { value },
    on: { input: event => set((event.target as HTMLInputElement).value) },
  });
}

// Values with what they are called.
type Options<T extends string> = readonly (readonly [T, string])[] | Readonly<Record<T, string>>;

const pairs = <T extends string>(options: Options<T>): readonly (readonly [T, string])[] =>
  Array.isArray(options) ? options : (Object.entries(options) as [T, string][]);

export function choice<T extends string>(
  attrs: Attrs,
  value: T,
  options: Options<T>,
  set: (value: T) => void,
): VNode {
  return h(
    'select',
    { attrs, on: { change: event => set((event.target as HTMLSelectElement).value as T) } },
    pairs(options).map(([key, label]) =>
      h('option', { attrs: { value: key }, props: { selected: key === value } }, label),
    ),
  );
}

type Labels = Omit<FieldOptions, 'control'>;

export const choiceField = <T extends string>(
  labels: Labels,
  value: T,
  options: Options<T>,
  set: (value: T) => void,
): VNode => field({ ...labels, control: attrs => choice(attrs, value, options, set) });

export const inputField = (labels: Labels, more: Attrs, value: string, set: (value: string) => void): VNode =>
  field({ ...labels, control: attrs => input({ ...attrs, ...more }, value, set) });

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
  options: Options<T>,
  set: (value: T) => void,
): VNode {
  return h(
    'div.segments',
    { attrs: { role: 'group', 'aria-label': label } },
    pairs(options).map(([key, text]) =>
      button('', { label: text, pressed: key === value, run: () => set(key) }),
    ),
  );
}

// A list: each item as `view` shows it.
export const each = <T>(
  selector: string,
  data: VNodeData,
  items: readonly T[],
  view: (item: T, i: number) => Child,
): VNode => h(selector, data, items.map(view));

// The heads of a table's columns.
export const headRow = (names: readonly string[]): VNode =>
  h('thead', [each('tr', {}, names, name => h('th', { attrs: { scope: 'col' } }, name))]);

// A table that is wider than its place.
export const wide = (label: string, table: VNode): VNode =>
  h('div.scroll-x', { attrs: { tabindex: 0, role: 'region', 'aria-label': label } }, [table]);

// How much of something is done; `role`: progressbar or meter.
export const bar = (role: string, label: string, part: number): VNode => {
  const value = { 'aria-valuenow': Math.round(part * 100), 'aria-valuemin': 0, 'aria-valuemax': 100 };
  return h('div.bar', { attrs: { role, 'aria-label': label, ...value } }, [
    h('i', { style: { width: `${Math.min(1, part) * 100}%` } }),
  ]);
};

// The rest of a long list.
export const moreButton = (label: string, run: () => void): VNode => button('.text', { label, run });

// What went wrong, where something did.
export const alertLine = (problem: string | null | undefined): VNode | null =>
  problem ? h('p.error', { attrs: { role: 'alert' } }, problem) : null;

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
