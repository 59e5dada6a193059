/** Buttons take nothing for this long after the dialog was painted, and after each sign of typing (sec-C22). */
export const GUARD_MS = 500;

/** What decides which buttons take a press. */
export interface GuardFacts {
  /** True once {@link GUARD_MS} went by without a key meant for something else. */
  readonly armed: boolean;
  /** True once the end of the text was on screen. */
  readonly read: boolean;
  readonly danger: boolean;
  readonly grantable: boolean;
  /** An answer is on its way, or time is up. */
  readonly closed: boolean;
}

export interface ButtonsOn {
  readonly deny: boolean;
  readonly allowOnce: boolean;
  /** For the session and always: what can do harm is never granted beyond once. */
  readonly grants: boolean;
}

export function buttonsOn({ armed, read, danger, grantable, closed }: GuardFacts): ButtonsOn {
  const open = armed && !closed;
  return { deny: open, allowOnce: open && read, grants: open && read && grantable && !danger };
}

/** The facts of a key press that matter here. */
export interface GuardKey {
  readonly key: string;
  readonly repeat: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/**
 * What a key press in the dialog means: `rearm` when it belongs to text that somebody is still typing, `block` when it
 * began before it could be meant for a button (a key held down), `deny` for the labelled letter, else nothing.
 */
export function guardKey(
  press: GuardKey,
  armed: boolean,
  danger: boolean,
): 'rearm' | 'block' | 'deny' | null {
  const activates = press.key === 'Enter' || press.key === ' ';
  if (activates && (press.repeat || !armed)) return 'block';
  if (press.ctrlKey || press.metaKey || press.altKey) return null;
  if (press.key.toLowerCase() === 'd' && armed && !press.repeat && !danger) return 'deny';
  const types = (press.key.length === 1 && press.key !== ' ') || press.key === 'Backspace';
  return types ? 'rearm' : null;
}
