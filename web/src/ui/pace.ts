// When the page is drawn: at once after a person has done something, else at a calm rate, however fast news come.
// What was asked for last is always drawn.
import type { Clock } from '../data/clock';

const atHand = 500; // ms after an action in which what it leads to is drawn at once
const calm = 250; // ms between drawings else

export class Pace {
  private acted: number;
  private drawn = -Infinity;
  private wanted: 'no' | 'later' | 'next frame' = 'no';
  private callOff: () => void = () => undefined;
  private after: (() => void)[] = [];

  // `frame` calls back before the next frame.
  constructor(
    private readonly clock: Clock,
    private readonly frame: (work: () => void) => void,
    private readonly draw: () => void,
  ) {
    this.acted = clock.now(); // who opens the page waits for it
  }

  // A person has done something.
  act(): void {
    this.acted = this.clock.now();
    if (this.wanted !== 'later') return;
    this.callOff();
    this.soon();
  }

  want(then?: () => void): void {
    if (then) this.after.push(then);
    if (this.wanted !== 'no') return;
    const now = this.clock.now();
    const next = now - this.acted < atHand ? now : this.drawn + calm;
    if (next <= now) return this.soon();
    this.wanted = 'later';
    this.callOff = this.clock.after(next - now, () => this.soon());
  }

  private soon(): void {
    this.wanted = 'next frame';
    this.frame(() => {
      this.wanted = 'no';
      this.drawn = this.clock.now();
      const after = this.after.splice(0);
      this.draw();
      for (const work of after) work();
    });
  }
}

// Tells of everything that a person does in the window. The browser tells of a pointer that rests, too, when something
// is drawn under it; that is nobody's doing.
export function onAction(window: Window, act: () => void): void {
  for (const kind of [
    'keydown',
    'keyup',
    'pointerdown',
    'pointerup',
    'wheel',
    'input',
    'change',
    'focusin',
    'drop',
  ])
    window.addEventListener(kind, act, { capture: true, passive: true });
  let place = '';
  for (const kind of ['pointerover', 'pointermove'] as const)
    window.addEventListener(
      kind,
      ({ screenX, screenY }) => {
        const now = `${screenX} ${screenY}`;
        if (now !== place) act();
        place = now;
      },
      { capture: true, passive: true },
    );
}
