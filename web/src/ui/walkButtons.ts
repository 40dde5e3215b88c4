// The buttons under a board. Their keys are those of the page that shows them.
import { button, type VNode } from './dom';
import { icon } from './icons';

// The wheel over a board walks: down goes forward. Trackpads send many small turns: one step for so many px.
const stepOf = 50; // px
const lineOf = 18; // px of a line, where a mouse counts lines
const quiet = 250; // ms after which a turn begins anew

let turned = 0; // px since the last step
let last = 0; // ms of the page's clock

export function wheelWalks(event: WheelEvent, walk: (by: 1 | -1) => unknown): void {
  if (event.ctrlKey || event.shiftKey || !event.deltaY) return; // those zoom, or go sideways
  event.preventDefault();
  const by = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * lineOf;
  if (event.timeStamp - last > quiet || Math.sign(by) !== Math.sign(turned)) turned = 0;
  last = event.timeStamp;
  turned += by;
  if (Math.abs(turned) < stepOf) return;
  turned = 0;
  walk(by > 0 ? 1 : -1);
}

const square = '.quiet.square.big';

const steps = {
  first: { label: 'To the start', key: 'Home' },
  back: { label: 'Back', key: '←' },
  forward: { label: 'Forward', key: '→' },
  last: { label: 'To the end', key: 'End' },
};

export function walkButton(
  name: keyof typeof steps,
  disabled: boolean,
  run: () => unknown,
  label = steps[name].label,
): VNode {
  return button(square, { label, icon: icon(name), title: `${label} (${steps[name].key})`, disabled, run });
}

// Along a line of so many moves, of which `at` are made.
export const walkButtons = (at: number, length: number, go: (to: number) => unknown): VNode[] => [
  walkButton('first', !at, () => go(0)),
  walkButton('back', !at, () => go(at - 1)),
  walkButton('forward', at >= length, () => go(at + 1)),
  walkButton('last', at >= length, () => go(length)),
];

export const flipButton = (run: () => unknown): VNode =>
  button(square, { label: 'Turn the board', icon: icon('flip'), title: 'Turn the board (f)', run });
