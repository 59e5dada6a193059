import type { Rule } from '../../../../shared/model/approval';
import { createPolicy, type PolicyOptions } from '../policy';
import type { ApprovalFlag, PolicyDecision, PolicyInput } from '../types';

type From = PolicyInput['rules'][number]['from'];
type Verdict = PolicyDecision['verdict'];

/** A rule in a few words; by default one about commands, out of a file. */
export type ShortRule = [effect: Rule['effect'], resource: string, action?: string, from?: From];

export function rulesOf(rules: readonly ShortRule[]): PolicyInput['rules'] {
  return rules.map(([effect, resource, action = 'run_command', from = 'file'], i) => ({
    rule: { action, resource, effect },
    from,
    id: `rule-${i}`,
  }));
}

/** What a policy says of commands in a project at `root`, which has nothing protected unless told. */
export function commandPolicy(root: string, protection: PolicyOptions['protection'] = () => null) {
  const policy = createPolicy({ protection });
  const command = (text: string, rules: readonly ShortRule[] = [], flag: ApprovalFlag = 'dialog') =>
    policy.decide({
      tool: 'run_command',
      effect: 'execute',
      subject: { paths: [], command: text, cwd: root },
      mode: 'agent',
      projectRoot: root,
      rules: rulesOf(rules),
      flag,
    });
  const verdicts = async (lines: readonly string[], rules: readonly ShortRule[] = []) => {
    const decided = await Promise.all(lines.map((line) => command(line, rules)));
    const entries = lines.map((line, i) => [line, decided[i]?.verdict] as const);
    return Object.fromEntries(entries) as Record<string, Verdict>;
  };
  return { policy, command, verdicts };
}
