import type { RuleFile } from './rule-file';

const block = ({ path, text, cut, chars }: RuleFile): string =>
  `# ${path}\n${text}${cut ? `\n[cut: ${chars} characters in all]` : ''}`;

const wrapped = (head: string, parts: readonly string[]): string =>
  parts.length === 0 ? '' : ['<system-reminder>', head, ...parts, '</system-reminder>'].join('\n');

/** Rules that hold everywhere, and the names of those that can be read, as one block of the prompt; '' when there are none. */
export function formatRules(always: readonly RuleFile[], offered: readonly RuleFile[]): string {
  const names = offered.map(({ path, description }) => `- ${path}: ${description}`);
  const list =
    names.length === 0 ? [] : [`More rules; read one with read_file when it fits:\n${names.join('\n')}`];
  return wrapped(
    'Rules of this project and its user, written by people. A nearer file outranks one further up; the user outranks all.',
    [...always.map(block), ...list],
  );
}

/** Rules that came into play by a touched file; '' for none. */
export function formatTouched(rules: readonly RuleFile[]): string {
  return wrapped('Rules for the files you work on:', rules.map(block));
}
