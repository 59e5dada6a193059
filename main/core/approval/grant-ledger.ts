import { AppError } from '../../../shared/error';
import type { Grant, Rule } from '../../../shared/model/approval';
import type { GrantStore } from '../store/types';
import type { RulesFile } from './rules-file';
import type { PolicyInput } from './types';

/** Built-in protections as the settings page lists them; the policy holds them in code, no rule lifts them. */
const BUILT_IN: readonly Rule[] = [
  { action: '*', resource: '.git/**', effect: 'deny' },
  {
    action: '*',
    resource: 'editor settings, hooks and start-up files (.vscode, .npmrc, .husky …)',
    effect: 'ask',
  },
  { action: 'run_command', resource: 'rm -r of /, a system folder or the home folder', effect: 'deny' },
  {
    action: 'run_command',
    resource: 'mkfs, dd or redirections to a disk, fork bombs, shutdown',
    effect: 'deny',
  },
  { action: 'run_command', resource: 'hidden characters outside quotes', effect: 'deny' },
  {
    action: 'run_command',
    resource: 'rm -rf, git reset --hard, git clean -f, git push --force …',
    effect: 'ask',
  },
  { action: 'run_command', resource: 'redirections, variables, substitutions, file patterns', effect: 'ask' },
];

export interface GrantLedger {
  /** The rules for one session in judging order: user's file, project's file, always, session. */
  rulesFor(sessionId: string | null): PolicyInput['rules'];
  add(rule: Rule, scope: 'session' | 'always', sessionId: string | null): Grant;
  /** Notes that a grant was used now; ids of file rules are ignored. */
  touch(id: string): void;
  /** @throws AppError `bad_argument` for file rules and built-in protections, which are not kept here */
  revoke(id: string): void;
  /** Everything that is judged by, for the settings page: built-in protections and file rules as read-only rows. */
  list(sessionId: string | null): Grant[];
  /** What is wrong in the rules files, each as one sentence with file and line. */
  problems(): string[];
}

const READ_ONLY = /^(file|project|builtin):/;

function readOnlyRow(rule: Rule, id: string, scope: 'file' | 'builtin'): Grant {
  return { id, rule, scope, sessionId: null, createdAt: 0, lastUsedAt: null };
}

/**
 * Rules and grants of one project together.
 *
 * @param files the user's rules file and, in a trusted project, the project's
 */
export function createGrantLedger(
  store: GrantStore,
  files: { user: RulesFile; project: RulesFile | null },
): GrantLedger {
  const fileRules = (): { rule: Rule; from: 'file' | 'project'; id: string }[] => [
    ...files.user.read().rules.map((rule, i) => ({ rule, from: 'file' as const, id: `file:${i}` })),
    ...(files.project?.read().rules ?? []).map((rule, i) => ({
      rule,
      from: 'project' as const,
      id: `project:${i}`,
    })),
  ];

  function grants(sessionId: string | null): Grant[] {
    const all = store.list(sessionId);
    return [
      ...all.filter((each) => each.scope === 'always'),
      ...all.filter((each) => each.scope === 'session'),
    ];
  }

  return {
    rulesFor: (sessionId) => [
      ...fileRules(),
      ...grants(sessionId).map(({ rule, scope, id }) => ({
        rule,
        from: scope === 'session' ? ('session' as const) : ('always' as const),
        id,
      })),
    ],
    add: (rule, scope, sessionId) => store.add(rule, scope, sessionId),
    touch(id) {
      if (!READ_ONLY.test(id)) store.touch(id);
    },
    revoke(id) {
      if (READ_ONLY.test(id)) {
        throw new AppError(
          'bad_argument',
          'This rule was not given in a dialog, so it cannot be revoked here.',
          {
            hint: id.startsWith('builtin:')
              ? 'Built-in protections stay.'
              : `Remove it in ${files.user.path}.`,
          },
        );
      }
      store.revoke(id);
    },
    list: (sessionId) => [
      ...BUILT_IN.map((rule, i) => readOnlyRow(rule, `builtin:${i}`, 'builtin')),
      ...fileRules().map(({ rule, id }) => readOnlyRow(rule, id, 'file')),
      ...grants(sessionId),
    ],
    problems: () => [...files.user.read().problems, ...(files.project?.read().problems ?? [])],
  };
}
