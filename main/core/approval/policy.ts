import { judgeCommandLine } from './policy-command';
import { judgePaths, type RealPathLookup } from './policy-paths';
import type { ProtectionLookup } from './protected-touch';
import { realRelativePath } from './real-path';
import type { RuleVerdict } from './rule-verdict';
import type { PolicyDecision, PolicyInput } from './types';

export interface PolicyOptions {
  /** What is known of a workspace-relative path (`.git/**`, editor settings, rc files …). */
  protection: ProtectionLookup;
  /** Resolves links; replaced in tests that have no files. */
  realPath?: RealPathLookup;
}

export interface Policy {
  /** Allow, ask or deny one call. Changes nothing and asks nobody; the same input gives the same decision. */
  decide(input: PolicyInput): Promise<PolicyDecision>;
}

/** Tools that talk to the user or keep the turn's own books: a question about them would be noise. */
const NEVER_ASK = new Set(['attempt_completion', 'todo', 'ask_user']);

const REVIEWED_AFTER =
  'Edits inside the project are made unasked and wait for your review (setting `chat.review.mode`).';

interface Judged {
  verdict: RuleVerdict;
  extra: Partial<PolicyDecision>;
  /** Flag `all` may stand in for a person. */
  allMay: boolean;
  /** Flag `edits` may stand in for a person. */
  editsMay: boolean;
}

function decision(verdict: RuleVerdict, extra: Partial<PolicyDecision> = {}): PolicyDecision {
  return {
    verdict: verdict.effect,
    by: verdict.by,
    reason: verdict.reason,
    parts: [],
    opaque: false,
    danger: false,
    warnings: [],
    proposedRule: null,
    grantId: verdict.grantId,
    ...extra,
  };
}

function withFlag(input: PolicyInput, judged: Judged): PolicyDecision {
  const { verdict, extra } = judged;
  if (verdict.effect !== 'ask' || input.flag === 'dialog') return decision(verdict, extra);
  const may = input.flag === 'all' ? judged.allMay : input.flag === 'edits' && judged.editsMay;
  const said = may
    ? `Allowed by --approve ${input.flag}.`
    : `Denied because nobody can be asked (--approve ${input.flag}). ${verdict.reason}`;
  return decision(
    { effect: may ? 'allow' : 'deny', by: 'flag', reason: said, grantId: null, fixed: true },
    { ...extra, proposedRule: null },
  );
}

/** Rules on tools that never ask: only one that names the tool itself can forbid it. */
function interaction(input: PolicyInput): PolicyDecision {
  const last = input.rules.findLast(({ rule, from }) => rule.action === input.tool && from !== 'session');
  const denied = last?.rule.effect === 'deny';
  return decision({
    effect: denied ? 'deny' : 'allow',
    by: denied ? 'rule' : 'policy',
    reason: denied
      ? `The rule \`${input.tool}: ${last.rule.resource}\` forbids it.`
      : 'This tool changes nothing.',
    grantId: null,
    fixed: true,
  });
}

function refusedByMode(input: PolicyInput): PolicyDecision | null {
  const acts = input.effect === 'execute' || (input.effect === 'write' && input.subject.paths.length > 0);
  if (input.mode === 'agent' || !acts) return null;
  const reason = `The ${input.mode} mode only reads.`;
  return decision({ effect: 'deny', by: 'mode', reason, grantId: null, fixed: true });
}

async function judge(input: PolicyInput, options: PolicyOptions): Promise<Judged> {
  if (input.subject.command !== undefined) {
    const { verdict, flagMayAllow, ...extra } = await judgeCommandLine(input, options.protection);
    return { verdict, extra, allMay: flagMayAllow, editsMay: false };
  }
  const paths = await judgePaths(input, options.protection, options.realPath ?? realRelativePath);
  const warnings = paths.protectedPath && paths.verdict.effect === 'ask' ? [paths.verdict.reason] : [];
  const extra = { proposedRule: paths.proposedRule, warnings, danger: warnings.length > 0 };
  const editsMay =
    input.effect === 'write' &&
    input.subject.paths.length > 0 &&
    !paths.protectedPath &&
    paths.verdict.by === 'policy';
  const isReviewedAfter = editsMay && paths.verdict.effect === 'ask' && input.reviewAfter === true;
  // A flag of the command line speaks for itself: where nobody looks, nobody reviews.
  if (isReviewedAfter && input.flag === 'dialog')
    return {
      verdict: { ...paths.verdict, effect: 'allow', reason: REVIEWED_AFTER },
      extra: { ...extra, proposedRule: null },
      allMay: true,
      editsMay,
    };
  return { verdict: paths.verdict, extra, allMay: true, editsMay };
}

/**
 * The approval policy: built-in protections first, which no rule lifts; then rules, last match wins; then the default of
 * the call's effect; then the flag that stands in for a person.
 */
export function createPolicy(options: PolicyOptions): Policy {
  return {
    async decide(input) {
      if (input.effect === 'interact' || NEVER_ASK.has(input.tool)) return interaction(input);
      return refusedByMode(input) ?? withFlag(input, await judge(input, options));
    },
  };
}
