import type { ReplyCall } from '../model/port';
import type { CallOutcome } from '../tool/types';
import type { LoopDeps } from './turn-types';

/** Tools whose `path` is a place to look in and not a file that is worked on. */
const LOOK_ROUND = new Set(['list_dir', 'glob', 'grep', 'find_files', 'git_log', 'git_status']);

function argumentPath({ name, args }: ReplyCall): string[] {
  if (LOOK_ROUND.has(name) || !args.ok) return [];
  const path = (args.value as { path?: unknown } | null)?.path;
  return typeof path === 'string' && path !== '' ? [path] : [];
}

/** Files that a call read or changed, as the call names them. */
function touchedPaths(call: ReplyCall, outcome: CallOutcome): string[] {
  if (outcome.state !== 'success') return [];
  return [...new Set([...argumentPath(call), ...outcome.diffs.map(({ path }) => path)])];
}

/**
 * What a call's answer says, with the rules that its files bring into play behind it (X9). They come with the result and
 * not in the prompt, so that requests keep their prefix.
 */
export async function withTouchedRules(
  call: ReplyCall,
  outcome: CallOutcome | undefined,
  deps: LoopDeps,
): Promise<string> {
  if (!outcome) return '';
  const paths = touchedPaths(call, outcome);
  const rules = paths.length === 0 ? '' : await deps.context.rulesFor(paths);
  return rules === '' ? outcome.modelText : `${outcome.modelText}\n\n${rules}`;
}
