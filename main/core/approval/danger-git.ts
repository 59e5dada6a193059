import type { Finding } from './finding';

/** Options of git itself that take the next word. */
const GLOBAL_TAKES = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--config-env',
  '--exec-path',
]);

interface GitCall {
  globals: string[];
  sub: string;
  args: string[];
}

function gitCall(argv: string[]): GitCall {
  let i = 1;
  const globals: string[] = [];
  while (i < argv.length && (argv[i] as string).startsWith('-')) {
    globals.push(argv[i] as string);
    if (GLOBAL_TAKES.has(argv[i] as string)) i += 1;
    i += 1;
  }
  return { globals, sub: argv[i] ?? '', args: argv.slice(i + 1) };
}

/** True for `--force`, its abbreviations git accepts (`--fo`), and `-f` in a cluster (`-fd`). */
function has(args: string[], long: string, short: string | null, least = 4): boolean {
  return args.some((arg) => {
    const name = arg.split('=', 1)[0] ?? '';
    if (name.startsWith('--')) return name.length >= least && (long.startsWith(name) || name === long);
    return short !== null && new RegExp(`^-[A-Za-z]*${short}`).test(arg);
  });
}

type Check = (args: string[]) => string | null;

function when(condition: boolean, reason: string): string | null {
  return condition ? reason : null;
}

const LOSES: Record<string, Check> = {
  reset: (args) =>
    when(
      has(args, '--hard', null, 3) || has(args, '--merge', null, 5) || has(args, '--keep', null, 3),
      'It discards changes that are not committed.',
    ),
  clean: (args) =>
    when(
      has(args, '--force', 'f', 3) && !has(args, '--dry-run', 'n', 4),
      'It deletes files that git does not track.',
    ),
  push: (args) =>
    has(args, '--force', 'f', 4) ||
    has(args, '--force-with-lease', null, 4) ||
    has(args, '--mirror', null, 4) ||
    args.some((arg) => /^\+./.test(arg))
      ? 'It overwrites history on the remote.'
      : when(
          has(args, '--delete', 'd', 5) ||
            has(args, '--prune', null, 5) ||
            args.some((arg) => /^:./.test(arg)),
          'It deletes branches on the remote.',
        ),
  checkout: (args) =>
    when(
      has(args, '--force', 'f', 4) || args.includes('--') || args.includes('.') || args.includes('-B'),
      'It overwrites changes that are not committed.',
    ),
  switch: (args) =>
    when(
      has(args, '--discard-changes', 'f', 5) || has(args, '--force', null, 7) || args.includes('-C'),
      'It discards changes that are not committed.',
    ),
  restore: (args) =>
    when(
      !has(args, '--staged', 'S', 5) || has(args, '--worktree', 'W', 4),
      'It overwrites changes that are not committed.',
    ),
  branch: (args) =>
    when(
      args.some((arg) => /^-[a-zA-Z]*D/.test(arg)) ||
        (has(args, '--delete', 'd', 5) && has(args, '--force', 'f', 5)),
      'It deletes a branch with commits that may be nowhere else.',
    ),
  stash: (args) => when(['drop', 'clear'].includes(args[0] ?? ''), 'It deletes stashed changes.'),
  tag: (args) => when(has(args, '--delete', 'd', 5), 'It deletes a tag.'),
  reflog: (args) =>
    when(['expire', 'delete'].includes(args[0] ?? ''), 'It deletes the way back to lost commits.'),
  gc: (args) => when(has(args, '--prune', null, 4), 'It deletes commits that nothing points to.'),
  prune: () => 'It deletes commits that nothing points to.',
  'filter-branch': () => 'It rewrites history.',
  'filter-repo': () => 'It rewrites history.',
  'update-ref': (args) => when(args.includes('-d') || args.includes('--stdin'), 'It deletes references.'),
  rm: (args) => when(!args.includes('--cached') && !args.includes('-n'), 'It deletes files.'),
  worktree: (args) =>
    when(args[0] === 'remove' && has(args, '--force', 'f', 5), 'It deletes a worktree with its changes.'),
};

/** Options that make a reading command write a file or run a program (also abbreviated, as git allows). */
const ACTING = [
  '--output',
  '--ext-diff',
  '--textconv',
  '--upload-pack',
  '--receive-pack',
  '--exec',
  '--open-files-in-pager',
  '--template',
  '--config',
  '--show-signature',
];
const ACTING_GLOBALS = /^(-c|--config-env|--exec-path|--git-dir|--work-tree|-C|-p|--paginate)(=|$)|^-c./;

function acts(call: GitCall): boolean {
  return call.args.some((arg) => {
    const name = arg.split('=', 1)[0] ?? '';
    if (name.startsWith('--')) return name.length >= 4 && ACTING.some((long) => long.startsWith(name));
    return (
      (call.sub === 'grep' && /^-[A-Za-z]*O/.test(arg)) || (call.sub === 'rebase' && arg.startsWith('-x'))
    );
  });
}

/** Subcommands whose whole purpose is to run programs or change settings that run programs. */
const RUNS = new Set([
  'config',
  'difftool',
  'mergetool',
  'bisect',
  'submodule',
  'hook',
  'daemon',
  'instaweb',
  'gui',
]);

export function gitFinding(argv: string[]): Finding | null {
  const call = gitCall(argv);
  const loses = Object.hasOwn(LOSES, call.sub) ? LOSES[call.sub]?.(call.args) : null;
  if (loses) return { level: 'danger', reason: loses };
  if (call.globals.some((option) => ACTING_GLOBALS.test(option))) {
    return { level: 'ask', reason: 'It gives git settings that can run programs.' };
  }
  if (acts(call)) return { level: 'ask', reason: 'An option lets git write a file or run a program.' };
  if (RUNS.has(call.sub))
    return { level: 'ask', reason: `\`git ${call.sub}\` can run programs or change settings that do.` };
  return null;
}
