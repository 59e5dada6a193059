import type { KeyPlatform } from '../keys';

export const ACCEPT_KEYS = 'Alt+Enter';

/** On a Mac Alt+Backspace deletes a word. */
export const rejectKeys = (platform: KeyPlatform): string =>
  platform === 'mac' ? 'Ctrl+Alt+Backspace' : 'Alt+Backspace';
