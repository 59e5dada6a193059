import type { ToolChoice } from './port';

/** Kinds of tool choice that servers may refuse; `auto` is what all of them take. */
type ForcedKind = 'none' | 'required' | 'named';

/** By server and model, for the life of the process: thinking models refuse what their plain sisters take. */
const refused = new Map<string, Set<ForcedKind>>();

const keyOf = (baseUrl: string, model: string): string => `${baseUrl} ${model}`;

const kindOf = (choice: ToolChoice): ForcedKind | null => {
  if (choice === 'auto') return null;
  return typeof choice === 'string' ? choice : 'named';
};

/** What of a wished choice this model takes, as far as it is known (H8). */
export function knownChoice(baseUrl: string, model: string, choice: ToolChoice): ToolChoice {
  const kind = kindOf(choice);
  return kind !== null && refused.get(keyOf(baseUrl, model))?.has(kind) === true ? 'auto' : choice;
}

/**
 * Learns from a refusal.
 *
 * @param message the server's words
 * @returns false when they are not about the tool choice, or nothing was forced: asking again would change nothing
 */
export function learnRefusedChoice(
  baseUrl: string,
  model: string,
  sent: ToolChoice,
  message: string,
): boolean {
  const kind = kindOf(sent);
  if (kind === null || !/tool[_ ]?choice|forced? (?:tool|function)/i.test(message)) return false;
  const key = keyOf(baseUrl, model);
  refused.set(key, (refused.get(key) ?? new Set()).add(kind));
  return true;
}
