import { matchesChord, parseChord, type Chord, type KeyPlatform, type KeyPress } from '../lib/keys';
import type { Command, CommandRegistry } from './command-registry';

/** Where the key was pressed. */
export interface KeyPlace {
  /** The terminal has the focus: Ctrl with one letter belongs to the shell. */
  terminal: boolean;
}

/** On keyboards without a Command key the shell needs Ctrl+P, Ctrl+L, Ctrl+B … for itself. */
const belongsToShell = (chord: Chord): boolean =>
  chord.ctrl && !chord.shift && !chord.alt && !chord.meta && /^[a-z]$/.test(chord.key);

/** The command whose shortcut was pressed, or undefined. */
export function commandFor(
  press: KeyPress,
  commands: readonly Command[],
  platform: KeyPlatform,
  place: KeyPlace,
): Command | undefined {
  return commands.find((command) =>
    (command.keys ?? []).some((keys) => {
      const chord = parseChord(keys, platform);
      return matchesChord(press, chord) && !(place.terminal && belongsToShell(chord));
    }),
  );
}

const placeOf = (target: EventTarget | null): KeyPlace => ({
  terminal: target instanceof Element && target.closest('.xterm') !== null,
});

/**
 * Runs commands by their shortcuts. It listens before the editor and the terminal do; while a dialog is open (`blocked`)
 * every key belongs to the dialog.
 */
export function attachKeymap(
  registry: CommandRegistry,
  platform: KeyPlatform,
  blocked: () => boolean,
): () => void {
  const onKeyDown = (event: KeyboardEvent): void => {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !/^F\d+$/.test(event.key);
    if (plain || event.isComposing || event.defaultPrevented || blocked()) return;
    const command = commandFor(event, registry.available(), platform, placeOf(event.target));
    if (!command) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) registry.run(command.id);
  };
  window.addEventListener('keydown', onKeyDown, true);
  return () => window.removeEventListener('keydown', onKeyDown, true);
}
