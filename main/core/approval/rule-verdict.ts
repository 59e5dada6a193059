import type { DecidedBy, RuleEffect } from '../../../shared/model/approval';
import type { LayeredRule } from './rule-match';

/** What rules say about one resource. */
export interface RuleVerdict {
  effect: RuleEffect;
  by: DecidedBy;
  reason: string;
  grantId: string | null;
  /** No grant can change it: it comes from a project file or is a denial of the user's file. */
  fixed: boolean;
}

const STRENGTH: Record<RuleEffect, number> = { allow: 0, ask: 1, deny: 2 };

export function stricter<T extends { effect: RuleEffect }>(a: T | null, b: T | null): T | null {
  if (a === null || b === null) return a ?? b;
  return STRENGTH[b.effect] > STRENGTH[a.effect] ? b : a;
}

export function strictestEffect(a: RuleEffect, b: RuleEffect): RuleEffect {
  return STRENGTH[b] > STRENGTH[a] ? b : a;
}

const SOURCES: Record<LayeredRule['from'], string> = {
  file: 'The rule in your rules file',
  project: "The rule in the project's rules file",
  always: 'What you always allow',
  session: 'What you allow in this session',
};

const EFFECTS: Record<RuleEffect, string> = { allow: 'allows', ask: 'asks about', deny: 'forbids' };

function toVerdict(layered: LayeredRule, fixed: boolean): RuleVerdict {
  const { rule, from, id } = layered;
  const grant = from === 'always' || from === 'session';
  return {
    effect: rule.effect,
    by: grant ? 'grant' : 'rule',
    reason: `${SOURCES[from]} ${EFFECTS[rule.effect]} \`${rule.action}: ${rule.resource}\`.`,
    grantId: grant ? id : null,
    fixed,
  };
}

/**
 * The verdict of the rules that match a resource, given in judging order. In the user's layers the last match wins, but a
 * grant lifts no denial of the rules file. The project's layer can only make it stricter. Null when nothing matches.
 */
export function ruleVerdict(matching: readonly LayeredRule[]): RuleVerdict | null {
  const file = matching.findLast((each) => each.from === 'file');
  const grant = matching.findLast((each) => each.from === 'always' || each.from === 'session');
  const project = matching.findLast((each) => each.from === 'project' && each.rule.effect !== 'allow');
  const denied = file?.rule.effect === 'deny';
  const own = denied || grant === undefined ? file : grant;
  return stricter(
    own === undefined ? null : toVerdict(own, denied),
    project === undefined ? null : toVerdict(project, true),
  );
}
