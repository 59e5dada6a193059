import { matchesAction, matchesPath, type LayeredRule } from './rule-match';
import { ruleVerdict, stricter, type RuleVerdict } from './rule-verdict';
import type { PolicyInput } from './types';

/** Tools that write files: what a rule forbids to one of them it forbids to every tool that writes. */
export const EDITING_TOOLS: readonly string[] = ['edit_file', 'write_file', 'apply_patch'];
/** Tools that show what is in files. Names of files are shown by others, too. */
export const READING_TOOLS: readonly string[] = ['read_file', 'grep'];

type Call = Pick<PolicyInput, 'tool' | 'effect' | 'rules'>;

/** The tools whose restrictions hold for this call. */
function familyOf({ tool, effect }: Call): readonly string[] {
  if (effect === 'write') return EDITING_TOOLS;
  return effect === 'read' && READING_TOOLS.includes(tool) ? READING_TOOLS : [];
}

const LAYERS: readonly (readonly LayeredRule['from'][])[] = [['file'], ['project'], ['always', 'session']];

/**
 * The restriction of one tool that is in force: the last rule of the layer that names it, unless a later one about every tool
 * lifts it. A denial of everything lifts nothing.
 */
function inForce(rules: readonly LayeredRule[], tool: string, path: string): LayeredRule[] {
  const matching = rules.filter(
    ({ rule, from }) =>
      matchesAction(rule, tool) &&
      matchesPath(rule.resource, path, rule.effect) &&
      !(rule.action === '*' && rule.effect === 'deny') &&
      !(from === 'project' && rule.effect === 'allow'),
  );
  return LAYERS.flatMap((layer) => {
    const last = matching.findLast(({ from }) => layer.includes(from));
    return last !== undefined && last.rule.action === tool && last.rule.effect !== 'allow' ? [last] : [];
  });
}

/**
 * What the rules say of one path for one call. A rule that allows speaks for the tool it names alone; one that asks or denies
 * speaks for all tools that do the same to files, since they are ways to one end: a denial whatever else is allowed, a
 * question unless the tool itself was allowed after it. Null when nothing matches.
 */
export function pathVerdict(input: Call, path: string): RuleVerdict | null {
  const own = input.rules.filter(
    ({ rule }) => matchesAction(rule, input.tool) && matchesPath(rule.resource, path, rule.effect),
  );
  const others = familyOf(input).flatMap((tool) => inForce(input.rules, tool, path));
  const mine = ruleVerdict(own);
  if (others.length === 0) return mine;
  const together = input.rules.filter((rule) => own.includes(rule) || others.includes(rule));
  const denials = others.filter(({ rule }) => rule.effect === 'deny');
  const whole = [mine, ruleVerdict(together), ruleVerdict(denials)].reduce(stricter, null);
  if (whole === null || whole.reason === mine?.reason) return whole;
  const all = input.effect === 'write' ? 'writes files' : 'shows what is in files';
  return { ...whole, reason: `${whole.reason} It holds for every tool that ${all}.` };
}
