import type { Mode } from '../../../shared/model/mode';

export const MODES: readonly Mode[] = ['agent', 'plan', 'ask'];
export const MODE_NAMES: Readonly<Record<Mode, string>> = { agent: 'Agent', plan: 'Plan', ask: 'Ask' };
export const MODE_TEXTS: Readonly<Record<Mode, string>> = {
  agent: 'reads, edits, runs',
  plan: 'reads and plans',
  ask: 'reads and answers',
};

/** What Shift+Tab goes to. */
export const nextMode = (mode: Mode): Mode => MODES[(MODES.indexOf(mode) + 1) % MODES.length] ?? 'agent';
