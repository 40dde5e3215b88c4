// The buttons under a board. Their keys are those of the page that shows them.
import { button, type VNode } from './dom';
import { icon } from './icons';

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
