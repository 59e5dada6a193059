import type { Mode } from '../../../../../shared/model/mode';

/** Every mode: tools that change nothing. */
export const ALL_MODES: readonly Mode[] = ['agent', 'plan', 'ask'];
/** Tools that act on the project. */
export const AGENT_ONLY: readonly Mode[] = ['agent'];

/** A path as a label shows it. */
export const shownPath = (path: string): string => (path === '' || path === '.' ? './' : path);

/** A name in a listing: odd characters are escaped so that one entry stays one line. */
export const shownName = (name: string): string =>
  /[\n\r\t\u202a-\u202e\u2066-\u2069]/.test(name) ? JSON.stringify(name) : name;
