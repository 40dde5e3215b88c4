// Icons, drawn for this page on a 16-unit grid with one stroke width.
import { h, type VNode } from 'snabbdom';

const paths = {
  first: 'M4 3v10M13 3 7 8l6 5z',
  back: 'M10.5 3 5 8l5.5 5',
  forward: 'M5.5 3 11 8l-5.5 5',
  last: 'M12 3v10M3 3l6 5-6 5z',
  flip: 'M5 2v12M5 2 2.5 4.5M5 2l2.5 2.5M11 14V2M11 14l-2.5-2.5M11 14l2.5-2.5',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3l8 5-8 5z',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  grip: 'M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01',
  download: 'M8 2.5v7.5M4.5 7 8 10.5 11.5 7M3 13.5h10',
  upload: 'M8 10.5V3M4.5 6 8 2.5 11.5 6M3 13.5h10',
  share:
    'M12 2.2a1.8 1.8 0 1 0 .01 0M4 6.2a1.8 1.8 0 1 0 .01 0M12 10.2a1.8 1.8 0 1 0 .01 0M5.7 7.2 10.4 4.8M5.7 8.9l4.7 2.3',
  gear: 'M8 5.8a2.2 2.2 0 1 0 .01 0M8 1.5v2M8 12.5v2M1.5 8h2M12.5 8h2M3.4 3.4l1.4 1.4M11.2 11.2l1.4 1.4M12.6 3.4l-1.4 1.4M4.8 11.2l-1.4 1.4',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  note: 'M3 2.5h10v8l-3 3H3zM5.5 6h5M5.5 9h3',
  sun: 'M8 5a3 3 0 1 0 .01 0M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5z',
  auto: 'M8 2.5a5.5 5.5 0 1 0 .01 0M8 2.5v11M8 5h3.5M8 8h5.4M8 11h3.5',
  keys: 'M1.5 4.5h13v7h-13zM4 7h.01M6.7 7h.01M9.3 7h.01M12 7h.01M5 9.3h6',
  bell: 'M4 11V7a4 4 0 0 1 8 0v4l1.2 1.5H2.8zM6.7 14.2h2.6',
  down: 'M4 6l4 4 4-4',
  close: 'M4 4l8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  merge: 'M3 2.5c0 5 5 3 5 8M13 2.5c0 5-5 3-5 8M8 10v4',
  repeat: 'M3 8a5 5 0 0 1 8.5-3.5L13 6M13 2.5V6H9.5M13 8a5 5 0 0 1-8.5 3.5L3 10M3 13.5V10h3.5',
  chip: 'M4.5 4.5h7v7h-7zM6.5 2v2.5M9.5 2v2.5M6.5 11.5V14M9.5 11.5V14M2 6.5h2.5M2 9.5h2.5M11.5 6.5H14M11.5 9.5H14',
  person: 'M8 2.5a2.5 2.5 0 1 0 .01 0M3 13.5c0-6 10-6 10 0',
  book: 'M2.5 3.5c3-1 4.5 0 5.5 1 1-1 2.5-2 5.5-1v9c-3-1-4.5 0-5.5 1-1-1-2.5-2-5.5-1zM8 4.5v9',
  warning: 'M8 2.5 14.5 13.5h-13zM8 6.5v3.2M8 11.6v.01',
  check: 'M3 8.5 6.5 12 13 4.5',
  search: 'M7 2.5a4.5 4.5 0 1 0 .01 0M10.3 10.3l3.7 3.7',
  plusZoom: 'M7 2.5a4.5 4.5 0 1 0 .01 0M10.3 10.3l3.7 3.7M7 5v4M5 7h4',
  minusZoom: 'M7 2.5a4.5 4.5 0 1 0 .01 0M10.3 10.3l3.7 3.7M5 7h4',
  fit: 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
} as const;

export type IconName = keyof typeof paths;

export function icon(name: IconName): VNode {
  return h('svg.icon', { attrs: { viewBox: '0 0 16 16', 'aria-hidden': 'true', focusable: 'false' } }, [
    h('path', { attrs: { d: paths[name] } }),
  ]);
}

// One that means something by itself: its words are for who points at it and for screen readers.
export const mark = (name: IconName, title: string): VNode =>
  h('span.mark', { attrs: { title, role: 'img', 'aria-label': title } }, [icon(name)]);
