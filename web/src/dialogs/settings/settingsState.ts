// The settings of an analysis, open in a dialog: what was there, and what it is to become.
import { setupOf } from '../../setup/setupState';
import type { Setup } from '../../setup/setupState';
import type { Analysis } from '../../data/types';

export interface SettingsState {
  id: number;
  title: string; // the name before it is changed
  before: Setup; // as the form was opened
  setup: Setup;
  busy: boolean;
}

export const initialSettings = (a: Analysis): SettingsState => ({
  id: a.id,
  title: a.name,
  before: setupOf(a),
  setup: setupOf(a),
  busy: false,
});
