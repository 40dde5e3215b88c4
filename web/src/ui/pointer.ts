// Whether the pointer itself was moved. Some browsers tell of a pointer that rests, too, when what is drawn under it has
// changed: nobody has pointed at that.
export const hasMoved = (event: MouseEvent): boolean => event.movementX !== 0 || event.movementY !== 0;
