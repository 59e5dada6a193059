import type { Grant } from '../../../shared/model/approval';

const SCOPES: Record<Grant['scope'], string> = {
  session: 'This session',
  always: 'Always, this project',
  file: 'rules.jsonc',
  builtin: 'Built in',
};

export const scopeWords = (grant: Grant): string => SCOPES[grant.scope];

/** Only what was granted in a dialog can be taken back here; the rest is in files or part of Lathe. */
export const canRevoke = (grant: Grant): boolean => grant.scope === 'session' || grant.scope === 'always';

const VERBS: Record<Grant['rule']['effect'], string> = { allow: 'Allowed', ask: 'Asked', deny: 'Denied' };

export const effectWords = (grant: Grant): string => VERBS[grant.rule.effect];

/** How far a rule reaches, which its row alone does not say. */
export const REACH =
  'The last rule that matches counts. A rule that allows holds for the tool it names; one that denies or asks about a tool that ' +
  'writes files (edit_file, write_file, apply_patch) holds for all tools that write, one about read_file or grep for both.';

export type GrantGroup = { title: string; grants: readonly Grant[] };

/** Grants of dialogs first: they are what a user comes to look for. The order inside is the order of judging. */
export function grantGroups(grants: readonly Grant[]): GrantGroup[] {
  const groups: GrantGroup[] = [
    { title: 'Granted in dialogs', grants: grants.filter(canRevoke) },
    { title: 'From rules.jsonc', grants: grants.filter((grant) => grant.scope === 'file') },
    { title: 'Built in', grants: grants.filter((grant) => grant.scope === 'builtin') },
  ];
  return groups.filter((group) => group.grants.length > 0);
}
