/** Which names and which main key a keyboard has: the machine that shows the page counts, not the host. */
export type KeyPlatform = 'mac' | 'other';

export function currentKeyPlatform(): KeyPlatform {
  return /^(Mac|iPhone|iPad)/i.test(navigator.platform) ? 'mac' : 'other';
}

/** A shortcut taken apart. `key` is `KeyboardEvent.key` in lower case, letters without Shift's effect. */
export interface Chord {
  ctrl: boolean;
  shift: boolean;
  alt: boolean;
  meta: boolean;
  key: string;
}

/** The parts of a key press that shortcuts depend on. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey'>;

/**
 * Reads a shortcut such as `Mod+Shift+P`, `Ctrl+\``, `F6`. `Mod` is Command on a Mac and Ctrl elsewhere; the plus key
 * itself is written `Plus`.
 */
export function parseChord(text: string, platform: KeyPlatform): Chord {
  const parts = text.split('+').map((part) => part.trim().toLowerCase());
  const key = parts.pop() ?? '';
  const mod = parts.includes('mod');
  return {
    ctrl: parts.includes('ctrl') || (mod && platform === 'other'),
    meta: parts.includes('meta') || (mod && platform === 'mac'),
    shift: parts.includes('shift'),
    alt: parts.includes('alt'),
    key: key === 'plus' ? '+' : key,
  };
}

const CODE_OF_SIGN: Record<string, string> = {
  '`': 'Backquote',
  ',': 'Comma',
  '.': 'Period',
  '/': 'Slash',
  '\\': 'Backslash',
  '-': 'Minus',
  '=': 'Equal',
};

/** Letters and signs also match by their place on the board: Alt and Shift change what `key` says. */
function sameKey(press: KeyPress, key: string): boolean {
  if (press.key.toLowerCase() === key) return true;
  if (/^[a-z]$/.test(key))
    return /^[a-z]$/i.test(press.key) ? false : press.code === `Key${key.toUpperCase()}`;
  if (/^[0-9]$/.test(key)) return press.code === `Digit${key}`;
  return CODE_OF_SIGN[key] === press.code && press.code !== undefined;
}

export function matchesChord(press: KeyPress, chord: Chord): boolean {
  return (
    press.ctrlKey === chord.ctrl &&
    press.shiftKey === chord.shift &&
    press.altKey === chord.alt &&
    press.metaKey === chord.meta &&
    sameKey(press, chord.key)
  );
}

const NAMES: Record<string, string> = {
  escape: 'Esc',
  arrowup: 'Up',
  arrowdown: 'Down',
  arrowleft: 'Left',
  arrowright: 'Right',
  pageup: 'Page Up',
  pagedown: 'Page Down',
  ' ': 'Space',
  delete: 'Del',
};

const MAC_SIGNS: Record<string, string> = {
  enter: '↵',
  escape: '⎋',
  backspace: '⌫',
  delete: '⌦',
  tab: '⇥',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
};

function keyName(key: string, platform: KeyPlatform): string {
  const sign = platform === 'mac' ? MAC_SIGNS[key] : undefined;
  return sign ?? NAMES[key] ?? key.charAt(0).toUpperCase() + key.slice(1);
}

/** The keys of a shortcut as they are printed on the platform's keyboards, main key last. */
export function keyParts(text: string, platform: KeyPlatform): string[] {
  const chord = parseChord(text, platform);
  const mac = platform === 'mac';
  const held = [
    chord.ctrl && (mac ? '⌃' : 'Ctrl'),
    chord.alt && (mac ? '⌥' : 'Alt'),
    chord.shift && (mac ? '⇧' : 'Shift'),
    chord.meta && (mac ? '⌘' : 'Win'),
  ];
  return [...held.filter((part) => part !== false), keyName(chord.key, platform)];
}

/** One string for hints: `Ctrl+Shift+P`, on a Mac `⇧⌘P`. */
export function keyLabel(text: string, platform: KeyPlatform = currentKeyPlatform()): string {
  return keyParts(text, platform).join(platform === 'mac' ? '' : '+');
}
