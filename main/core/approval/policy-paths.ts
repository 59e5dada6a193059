import type { Rule } from '../../../shared/model/approval';
import { proposePathRule } from './propose-rule';
import type { ProtectionLookup } from './protected-touch';
import { pathVerdict } from './rule-family';
import { matchesAction } from './rule-match';
import { ruleVerdict, stricter, type RuleVerdict } from './rule-verdict';
import type { PolicyInput } from './types';

/** A path with links resolved, relative to the project; null when it leads out of the project or can't be resolved. */
export type RealPathLookup = (projectRoot: string, path: string) => Promise<string | null>;

export interface PathJudgement {
  verdict: RuleVerdict;
  protectedPath: boolean;
  proposedRule: Rule | null;
}

const READ_DEFAULT: RuleVerdict = {
  effect: 'allow',
  by: 'policy',
  reason: 'Reading inside the project is allowed.',
  grantId: null,
  fixed: false,
};

function askDefault(input: PolicyInput): RuleVerdict {
  const what = input.effect === 'write' ? 'change' : 'action';
  return { ...READ_DEFAULT, effect: 'ask', reason: `No rule allows this ${what}, so it asks.` };
}

function byPolicy(effect: 'ask' | 'deny', reason: string): RuleVerdict {
  return { effect, by: 'policy', reason, grantId: null, fixed: true };
}

function builtin(
  input: PolicyInput,
  path: string,
  real: string,
  protect: ProtectionLookup,
): RuleVerdict | null {
  if (input.effect === 'read') return null;
  const protections = [protect(path), protect(real)];
  if (protections.includes('deny')) {
    return byPolicy('deny', `\`${path}\` is protected: the agent never writes there.`);
  }
  return protections.includes('ask')
    ? byPolicy('ask', `\`${path}\` is protected because other programs act on it, so it always asks.`)
    : null;
}

/** Rules by the name the model used and by the name behind links; an allowance must cover both. */
function rulesFor(input: PolicyInput, path: string, real: string): RuleVerdict | null {
  const verdicts = [...new Set([path, real])].map((name) => pathVerdict(input, name));
  const restricting = verdicts.filter((verdict) => verdict !== null && verdict.effect !== 'allow');
  if (restricting.length > 0) return restricting.reduce(stricter, null);
  return verdicts.every((verdict) => verdict !== null) ? (verdicts[0] ?? null) : null;
}

async function judgePath(
  input: PolicyInput,
  path: string,
  protect: ProtectionLookup,
  realPath: RealPathLookup,
) {
  const real = await realPath(input.projectRoot, path);
  if (real === null) {
    return { verdict: byPolicy('deny', `\`${path}\` is outside the project folder.`), guarded: true };
  }
  const normal = path.replace(/^\.\//, '');
  const guard = builtin(input, normal, real, protect);
  const fallback = input.effect === 'read' ? READ_DEFAULT : askDefault(input);
  const verdict = stricter(guard, rulesFor(input, normal, real) ?? fallback) ?? fallback;
  return { verdict, guarded: guard !== null };
}

/** A call that names no path: only rules that speak of everything apply. */
function judgeWithoutPath(input: PolicyInput): PathJudgement {
  const matching = input.rules.filter(
    ({ rule }) => matchesAction(rule, input.tool) && (rule.resource === '*' || rule.resource === '**'),
  );
  const fallback = input.effect === 'read' ? READ_DEFAULT : askDefault(input);
  const verdict = ruleVerdict(matching) ?? fallback;
  const grantable = verdict.effect === 'ask' && !verdict.fixed;
  const proposedRule = grantable ? { action: input.tool, resource: '*', effect: 'allow' as const } : null;
  return { verdict, protectedPath: false, proposedRule };
}

/** What the policy says of the paths of a call: each on its own, the strictest counts. */
export async function judgePaths(
  input: PolicyInput,
  protect: ProtectionLookup,
  realPath: RealPathLookup,
): Promise<PathJudgement> {
  const { paths } = input.subject;
  if (paths.length === 0) return judgeWithoutPath(input);
  const judged = await Promise.all(paths.map((path) => judgePath(input, path, protect, realPath)));
  const verdict = judged.map((each) => each.verdict).reduce((a, b) => stricter(a, b) ?? a);
  const protectedPath = judged.some((each) => each.guarded);
  const grantable = verdict.effect === 'ask' && !verdict.fixed && !protectedPath;
  return { verdict, protectedPath, proposedRule: grantable ? proposePathRule(input.tool, paths) : null };
}
