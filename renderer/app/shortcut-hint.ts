import { keyLabel } from '../lib/keys';
import { registry } from './registry';

/** The first shortcut of a command as a hint's text, or undefined. */
export function shortcutHint(id: string): string | undefined {
  const keys = registry.get(id)?.keys?.[0];
  return keys === undefined ? undefined : keyLabel(keys);
}
