import { posix } from 'node:path';
import type { CommandPart, Rule } from '../../../shared/model/approval';
import { judgeCommand, judgeLine, placeAfter } from './danger';
import type { Finding } from './finding';
import { describeHidden, hiddenCharacters } from './hidden-characters';
import { proposeCommandRule } from './propose-rule';
import { protectedTouch, type ProtectionLookup } from './protected-touch';
import { isCatchAll, isExact, matchesAction, matchesCommand, type LayeredRule } from './rule-match';
import { ruleVerdict, stricter, type RuleVerdict } from './rule-verdict';
import { parseShell, type ShellParse, type SimpleCommand } from './shell-parse';
import { programName } from './shell-unwrap';
import { canonicalCommand } from './shell-words';
import type { PathPlace } from './system-paths';
import type { PolicyInput } from './types';

/** Linux takes no single argument over this many bytes, so nothing longer can run anyway. */
export const MAX_COMMAND_BYTES = 131_071;

export interface CommandJudgement {
  /** The strictest of the built-in protections, the rules and the default, which is to ask. */
  verdict: RuleVerdict;
  parts: CommandPart[];
  opaque: boolean;
  danger: boolean;
  /** A flag that stands in for a person may allow it. */
  flagMayAllow: boolean;
  warnings: string[];
  proposedRule: Rule | null;
}

const NOBODY: RuleVerdict = {
  effect: 'ask',
  by: 'policy',
  reason: 'No rule allows this command, so it asks.',
  grantId: null,
  fixed: false,
};

function policyVerdict(effect: 'ask' | 'deny', reason: string): RuleVerdict {
  return { effect, by: 'policy', reason, grantId: null, fixed: true };
}

/** Other spellings of a command that a denial must also hold for: another path, quotes, no quotes. */
function spellings(command: SimpleCommand): string[] {
  const [first = '', ...rest] = command.argv;
  const named = [programName(first), ...rest];
  return [
    command.text,
    canonicalCommand(command.argv),
    command.argv.join(' '),
    canonicalCommand(named),
    named.join(' '),
  ];
}

/** Denials and questions that hold for a command under any of its spellings. A catch-all speaks of the line as written. */
function restrictions(command: SimpleCommand, rules: readonly LayeredRule[]): RuleVerdict | null {
  let worst: RuleVerdict | null = null;
  for (const spelling of new Set(spellings(command))) {
    const matching = rules.filter(({ rule }) => !isCatchAll(rule) && matchesCommand(rule.resource, spelling));
    const verdict = ruleVerdict(matching);
    if (verdict && verdict.effect !== 'allow') worst = stricter(worst, verdict);
  }
  return worst;
}

/** The rules' word on one plain part, exact spelling. `exactOnly`: only a rule that names just this command may allow. */
function partVerdict(part: SimpleCommand, rules: readonly LayeredRule[], exactOnly: boolean): RuleVerdict {
  const text = canonicalCommand(part.argv);
  const matching = rules.filter(({ rule }) => matchesCommand(rule.resource, text));
  const able = exactOnly
    ? matching.filter(({ rule }) => rule.effect !== 'allow' || isExact(rule.resource))
    : matching;
  return ruleVerdict(able) ?? NOBODY;
}

function judgePart(part: SimpleCommand, place: PathPlace, rules: readonly LayeredRule[]): RuleVerdict {
  const finding = judgeCommand(part, place);
  const verdict = partVerdict(part, rules, finding?.level === 'ask');
  if (finding?.level === 'ask' && verdict.effect === 'ask' && verdict.by === 'policy') {
    return { ...verdict, reason: finding.reason };
  }
  return verdict;
}

function findingVerdict(finding: Finding | null): RuleVerdict | null {
  if (finding === null || finding.level === 'ask') return null;
  return policyVerdict(finding.level === 'block' ? 'deny' : 'ask', finding.reason);
}

function hiddenVerdict(
  command: string,
  parse: ShellParse,
): { verdict: RuleVerdict | null; warning: string | null } {
  const found = hiddenCharacters(command);
  const outside = found.filter(
    ({ index }) => !parse.quotedRanges.some(([from, to]) => index > from && index < to),
  );
  const described = describeHidden(outside);
  if (described === null) {
    const inside = describeHidden(found);
    return { verdict: null, warning: inside === null ? null : `The command has ${inside} inside quotes.` };
  }
  return {
    verdict: policyVerdict(
      'deny',
      `The command has ${described} outside quotes, so what is shown is not what would run.`,
    ),
    warning: null,
  };
}

/** With denials in force, a line whose programs can't be known must not run on a flag's word. */
function hasDenials(rules: readonly LayeredRule[]): boolean {
  return rules.some(({ rule }) => rule.effect === 'deny' && !isCatchAll(rule));
}

function toPart(part: SimpleCommand, verdict: RuleVerdict): CommandPart {
  return { text: part.text, verdict: verdict.effect, reason: verdict.reason };
}

function judgeParts(parse: ShellParse, start: PathPlace, rules: readonly LayeredRule[]) {
  let place = start;
  return parse.parts.map((part) => {
    const own = findingVerdict(judgeCommand(part, place));
    const verdict =
      stricter(own, stricter(judgePart(part, place, rules), restrictions(part, rules))) ?? NOBODY;
    place = placeAfter(part, place);
    return { part, verdict };
  });
}

interface Weighed {
  verdict: RuleVerdict;
  finding: Finding | null;
  touches: string | null;
  judged: { part: SimpleCommand; verdict: RuleVerdict }[];
  warning: string | null;
}

function weigh(
  command: string,
  parse: ShellParse,
  place: PathPlace,
  rules: LayeredRule[],
  protect: ProtectionLookup,
): Weighed {
  const finding = judgeLine(parse, place);
  const touches = protectedTouch(parse, place, protect);
  const judged = judgeParts(parse, place, rules);
  const hidden = hiddenVerdict(command, parse);
  const whole = { text: command, argv: [command], wrapped: false, piped: false };
  const builtin = [
    hidden.verdict,
    findingVerdict(finding),
    touches === null ? null : policyVerdict('ask', touches),
    parse.opaque === null
      ? null
      : { ...NOBODY, reason: `No rule can allow this command because ${parse.opaque}.` },
  ];
  const fromRules = [
    ...[...parse.commands, whole].map((each) => restrictions(each, rules)),
    ...judged.map((each) => each.verdict),
  ];
  const catchAll = parse.opaque === null ? null : ruleVerdict(rules.filter(({ rule }) => isCatchAll(rule)));
  const opaqueRule = catchAll?.effect === 'deny' ? catchAll : null;
  const verdict = [...builtin, opaqueRule, ...fromRules].reduce(stricter, null) ?? NOBODY;
  return { verdict, finding, touches, judged, warning: hidden.warning };
}

function warningsOf(weighed: Weighed): string[] {
  const { finding, touches, warning } = weighed;
  const strong = finding !== null && finding.level !== 'ask';
  const critical = finding?.level === 'critical' ? ['This is a critical path.'] : [];
  return [...(strong ? [finding.reason] : []), ...critical, touches, warning].filter((each) => each !== null);
}

/** What the policy says of a command line: built-in protections, then rules part by part; the strictest counts. */
export async function judgeCommandLine(
  input: PolicyInput,
  protect: ProtectionLookup,
): Promise<CommandJudgement> {
  const command = input.subject.command ?? '';
  const cwd = posix.resolve(input.projectRoot, input.subject.cwd ?? '');
  const place = { cwd, projectRoot: input.projectRoot };
  const base = {
    parts: [],
    opaque: true,
    danger: false,
    flagMayAllow: false,
    warnings: [],
    proposedRule: null,
  };
  if (Buffer.byteLength(command) > MAX_COMMAND_BYTES) {
    return {
      ...base,
      verdict: policyVerdict('deny', `The command is longer than ${MAX_COMMAND_BYTES} bytes.`),
    };
  }
  const parse = await parseShell(command);
  const rules = input.rules.filter(({ rule }) => matchesAction(rule, input.tool));
  const weighed = weigh(command, parse, place, rules, protect);
  const { verdict, finding, touches, judged } = weighed;
  const danger = finding !== null && finding.level !== 'ask';
  const unknown = parse.unreadable && hasDenials(rules);
  const free = !danger && touches === null && parse.opaque === null && weighed.warning === null;
  return {
    verdict,
    parts: judged.map((each) => toPart(each.part, each.verdict)),
    opaque: parse.opaque !== null,
    danger: danger || touches !== null,
    flagMayAllow: finding?.level !== 'critical' && finding?.level !== 'block' && !unknown,
    warnings: warningsOf(weighed),
    proposedRule: free && !verdict.fixed ? proposeCommandRule(input.tool, judged) : null,
  };
}
