import type { Rule } from '../../../shared/model/approval';
import { exactResource } from './rule-match';
import type { RuleVerdict } from './rule-verdict';
import type { SimpleCommand } from './shell-parse';
import { canonicalCommand } from './shell-words';

/** Commands that only read, whatever follows, apart from what the look-alike list stops: one grant may cover them all. */
const READ_ONLY_PREFIXES = ['git status', 'git log', 'git diff', 'git show', 'ls', 'pwd'];

/** The longest command that is worth a rule: nobody reads a longer one in a list. */
const MAX_RULE_CHARS = 300;

function resourceFor(argv: readonly string[]): string | null {
  const text = canonicalCommand(argv);
  const prefix = READ_ONLY_PREFIXES.find((each) => text === each || text.startsWith(`${each} `));
  if (prefix !== undefined) return `${prefix} *`;
  return text.length <= MAX_RULE_CHARS ? exactResource(text) : null;
}

/**
 * The narrowest useful rule for what still asks: the exact command, or a read-only prefix. Null when two different parts
 * ask, since one rule can't name both.
 */
export function proposeCommandRule(
  tool: string,
  judged: readonly { part: SimpleCommand; verdict: RuleVerdict }[],
): Rule | null {
  const resources = new Set(
    judged.filter(({ verdict }) => verdict.effect === 'ask').map(({ part }) => resourceFor(part.argv)),
  );
  const [resource] = resources;
  if (resources.size !== 1 || resource === null || resource === undefined) return null;
  return { action: tool, resource, effect: 'allow' };
}

/** A rule for one path, or null for several. */
export function proposePathRule(tool: string, paths: readonly string[]): Rule | null {
  const [path] = paths;
  if (paths.length !== 1 || path === undefined || path === '') return null;
  // A path's own pattern characters are taken literally.
  return { action: tool, resource: path.replaceAll(/[\\*?[\]{}()!+@]/g, '\\$&'), effect: 'allow' };
}
