import type { ChangeSet } from '../../../../shared/model/change';

const MAX_COMMANDS = 5;
const MAX_COMMAND_CHARS = 60;
const MAX_PATHS = 4;

/** What no undo of these entries reaches, a sentence per command. */
export function cannotReach(sets: readonly ChangeSet[]): string[] {
  const commands = sets.filter(({ author }) => author.kind === 'command').reverse();
  const told = commands.slice(0, MAX_COMMANDS).map(sentence);
  const more = commands.length - told.length;
  const others = `${more} more command${more === 1 ? '' : 's'} may have had such effects too.`;
  return more > 0 ? [...told, others] : told;
}

function sentence({ author, label, notCovered }: ChangeSet): string {
  const full = (author.kind === 'command' ? author.command : label).trim().split('\n', 1)[0] ?? '';
  const command = full.length > MAX_COMMAND_CHARS ? `${full.slice(0, MAX_COMMAND_CHARS)}…` : full;
  const paths = notCovered.slice(0, MAX_PATHS).join(', ');
  const folders = paths === '' ? '' : ` or in files that are not followed (${paths})`;
  return `\`${command}\` may have had effects outside the project${folders}.`;
}
