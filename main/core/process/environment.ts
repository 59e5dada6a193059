import { delimiter, join } from 'node:path';

/**
 * Variables that commands of the agent don't get: secrets, what steers our own runtime, what makes a shell or loader run
 * something first, and what npm left when it started us.
 */
const DROPPED =
  /(_KEY|_TOKEN|_SECRET|_PASSWORD|_PASSWD|_CREDENTIALS|_AUTH|_PAT)$|^(AWS|AZURE|GOOGLE|GITHUB|GH|GITLAB|OPENAI|ANTHROPIC|GEMINI|ELECTRON|LD|DYLD|LATHE|GIT|npm|VITEST|VITE|PLAYWRIGHT|BASH_FUNC)_|^(SSH_AUTH_SOCK|SSH_ASKPASS|NODE_OPTIONS|NODE_CHANNEL_FD|NODE_UNIQUE_ID|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS4|CDPATH|GLOBIGNORE|INIT_CWD|VITEST|FORCE_COLOR|EDITOR|VISUAL)$/;

/** Nothing waits for a person: no prompt, no pager, no editor, no colour. */
const QUIET = {
  CI: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: 'cat',
  PAGER: 'cat',
  EDITOR: 'true',
  VISUAL: 'true',
  GIT_EDITOR: 'true',
  TERM: 'dumb',
  NO_COLOR: '1',
};

/** PATH without the folders that npm put in front of it to start us. */
function cleanPath(path: string, parent: NodeJS.ProcessEnv): string {
  const prefix = parent['npm_config_local_prefix'] ?? parent['INIT_CWD'];
  const own = prefix === undefined ? null : join(prefix, 'node_modules', '.bin');
  return path
    .split(delimiter)
    .filter((entry) => entry !== '' && entry !== own && !entry.endsWith('node-gyp-bin'))
    .join(delimiter);
}

/**
 * The environment of a command: the parent's without secrets and without what steers us, made quiet, plus the marks by
 * which its whole process tree is found again.
 *
 * @param marks for example { LATHE_CALL: id, LATHE_RUN: id }
 */
export function commandEnvironment(
  parent: NodeJS.ProcessEnv,
  marks: Record<string, string>,
): NodeJS.ProcessEnv {
  const kept = Object.entries(parent).filter(([name]) => !DROPPED.test(name));
  const path = parent['PATH'];
  return {
    ...Object.fromEntries(kept),
    ...(path === undefined ? {} : { PATH: cleanPath(path, parent) }),
    ...QUIET,
    ...marks,
  };
}
