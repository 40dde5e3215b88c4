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
