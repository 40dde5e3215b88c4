// The strategies by name: what they are called, which of the numbers they use, what they do in words.
export interface StrategyText {
  name: string;
  hint: string;
  windowed: boolean; // depth is counted in plies, else in levels of a growing budget
  floor: boolean; // has a narrowest window
}

const texts: Record<string, StrategyText> = {
  halving: {
    name: 'Halving windows',
    hint: 'The window around the best move halves with every ply.',
    windowed: true,
    floor: true,
  },
  dropout: {
    name: 'Drop-out expansion',
    hint: 'Least deviation from best play first, by either side.',
    windowed: false,
    floor: false,
  },
  anchored: {
    name: 'Anchored',
    hint: 'One long search, a tree, and a search of the best moves together.',
    windowed: true,
    floor: true,
  },
  conspiracy: {
    name: 'What the answer rests on',
    hint: 'One long search, and searches of what its answer rests on.',
    windowed: true,
    floor: false,
  },
  prove: {
    name: 'Proof',
    hint: 'The move that is nearest to a proof, and all answers to it.',
    windowed: false,
    floor: false,
  },
  uniform: {
    name: 'Uniform',
    hint: 'Every move within the distance, to the same ply.',
    windowed: true,
    floor: false,
  },
};

// A strategy that this page has not heard of is shown by its own name, with all fields.
export const strategyText = (kind: string): StrategyText =>
  texts[kind] ?? { name: kind, hint: '', windowed: true, floor: true };
