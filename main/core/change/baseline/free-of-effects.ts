import { parseShell, type SimpleCommand } from '../../approval/shell-parse';

type Check = (args: readonly string[]) => boolean;

const always: Check = () => true;
/** No option among these prefixes. */
const without =
  (...prefixes: string[]): Check =>
  (args) =>
    !args.some((arg) => prefixes.some((prefix) => arg.startsWith(prefix)));
const operandsOf = (args: readonly string[]): string[] => args.filter((arg) => !arg.startsWith('-'));

/** Letters of short options, also in clusters such as `-rno`. */
const withoutLetter =
  (letter: string, long: string): Check =>
  (args) =>
    !args.some((arg) => new RegExp(`^-[A-Za-z]*${letter}`).test(arg) || arg.startsWith(long));

const FIND_WRITES = ['-delete', '-exec', '-ok', '-fprint', '-fls', '-files0'];
const GIT_READS = new Set([
  ...['status', 'diff', 'show', 'log', 'rev-parse', 'ls-files', 'ls-tree', 'blame', 'describe', 'shortlog'],
  ...['cat-file', 'merge-base', 'rev-list', 'grep', 'whatchanged', 'name-rev', 'count-objects'],
]);
/** `sed -n '1,20p' file`: addresses and printing, nothing that writes. */
const SED_PRINTS = /^[\d,$;p\s]+$/;

const git: Check = ([command = '', ...rest]) =>
  GIT_READS.has(command) && without('--output', '--ext-diff', '--textconv', '-O', '--open-files')(rest);

const sed: Check = (args) => {
  const [script = '', ...files] = operandsOf(args);
  const options = args.filter((arg) => arg.startsWith('-'));
  return (
    options.every((option) => option === '-n' || option === '-E') &&
    SED_PRINTS.test(script) &&
    files.length > 0
  );
};

/** Programs that change nothing, with what must not be among their arguments. From their manuals. */
const PROGRAMS: Readonly<Record<string, Check>> = {
  ...Object.fromEntries(
    [
      ...['ls', 'cat', 'head', 'tail', 'wc', 'pwd', 'echo', 'printf', 'true', 'false', 'test', '[', 'stat'],
      ...[
        'du',
        'df',
        'which',
        'type',
        'whoami',
        'id',
        'uname',
        'grep',
        'egrep',
        'fgrep',
        'cut',
        'tr',
        'nl',
        'tac',
      ],
      ...[
        'realpath',
        'basename',
        'dirname',
        'readlink',
        'sleep',
        'seq',
        'printenv',
        'nproc',
        'md5sum',
        'sha1sum',
      ],
      ...[
        'sha256sum',
        'cmp',
        'comm',
        'jq',
        'cd',
        'uptime',
        'ps',
        'column',
        'fold',
        'rev',
        'paste',
        'strings',
      ],
    ].map((name) => [name, always]),
  ),
  date: withoutLetter('s', '--set'),
  diff: without('--output'),
  // `-C` compiles a magic file into the folder.
  file: withoutLetter('C', '--compile'),
  find: without(...FIND_WRITES),
  git,
  rg: without('--pre', '--hostname-bin'),
  sed,
  sort: (args) => withoutLetter('[oT]', '--output')(args) && without('--compress', '--temp')(args),
  tree: withoutLetter('o', '--output'),
  uniq: (args) => operandsOf(args).length < 2,
};

function isFree({ argv: [program = '', ...args] }: SimpleCommand): boolean {
  // Any program asked for nothing but its version.
  if (/^[\w.-]+$/.test(program) && args.length === 1 && args[0] === '--version') return true;
  return Object.hasOwn(PROGRAMS, program) && (PROGRAMS[program] as Check)(args);
}

/** Redirections that reach no file. They keep a line from being one of plain words, so they are taken out first. */
const HARMLESS = /\s+(?:[12&]?>\s*\/dev\/null|2>&1|<\s*\/dev\/null)(?=\s|$|[;|&)])/g;

/**
 * True for command lines that certainly change no file: plain words, programs that are known to read only. Everything
 * else may write.
 */
export async function isFreeOfEffects(command: string): Promise<boolean> {
  const parsed = await parseShell(command.replaceAll(HARMLESS, ''));
  if (parsed.opaque !== null || parsed.unreadable || parsed.writesTo.length > 0) return false;
  return parsed.commands.length === parsed.parts.length && parsed.commands.every(isFree);
}
