// The engine that the server brings itself.
import type { Engine } from './types';

export const isBuiltIn = (engine: Engine): boolean =>
  engine.identity?.name.startsWith('Adjourn engine ') ?? false;
