import { basename } from 'node:path';

/** What a command that runs other commands would run. */
export interface Inner {
  /** Argument lists of inner commands. */
  argvs: string[][];
  /** Texts that a shell would read. */
  scripts: string[];
}

interface Wrapper {
  /** Options that take the next word as their value. */
  takes: string[];
  /** How many operands come before the inner command (a duration, a folder …). */
  operands?: number;
  /** The inner words are joined and read by a shell. */
  shell?: boolean;
}

/** Programs that run their arguments, with the options that take a value (from their manuals). */
const WRAPPERS: Record<string, Wrapper> = {
  env: { takes: ['-u', '--unset', '-C', '--chdir'] },
  sudo: { takes: ['-u', '-g', '-h', '-p', '-C', '-r', '-t', '-T', '-U', '-D', '-R', '--user', '--group'] },
  doas: { takes: ['-u', '-C'] },
  nice: { takes: ['-n', '--adjustment'] },
  ionice: { takes: ['-c', '-n', '--class', '--classdata'] },
  chrt: { takes: ['-T', '-P', '-D'], operands: 1 },
  taskset: { takes: [], operands: 1 },
  timeout: { takes: ['-k', '-s', '--kill-after', '--signal'], operands: 1 },
  nohup: { takes: [] },
  setsid: { takes: [] },
  stdbuf: { takes: ['-i', '-o', '-e'] },
  command: { takes: [] },
  builtin: { takes: [] },
  exec: { takes: ['-a'] },
  time: { takes: ['-f', '-o'] },
  chroot: { takes: [], operands: 1 },
  unshare: { takes: ['-R', '-w', '-S', '-G'] },
  nsenter: { takes: ['-t', '-S', '-G'] },
  strace: { takes: ['-o', '-e', '-p', '-s', '-E', '-u'] },
  xargs: {
    takes: ['-I', '-n', '-P', '-L', '-d', '-E', '-s', '-a', '--arg-file', '--max-args', '--max-procs'],
  },
  parallel: { takes: ['-j', '--jobs', '-n', '-N'] },
  watch: { takes: ['-n', '--interval'], shell: true },
  busybox: { takes: [] },
  toybox: { takes: [] },
  flock: { takes: ['-w', '-E', '--timeout'], operands: 1 },
  caffeinate: { takes: ['-t', '-w'] },
};

const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'mksh', 'fish', 'rbash']);
const FIND_RUNS = new Set(['-exec', '-execdir', '-ok', '-okdir']);
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;

/** The program's own name: `/usr/bin/curl` is `curl`, `rg.exe` is `rg`. */
export function programName(word: string): string {
  return basename(word.replaceAll('\\', '/')).replace(/\.(exe|cmd|bat)$/i, '');
}

/** Starts of the inner command in `argv`. More than one when an unknown option may or may not take a value. */
function innerStarts(argv: string[], wrapper: Wrapper): number[] {
  let operands = wrapper.operands ?? 0;
  let doubtful = false;
  for (let i = 1; i < argv.length; i += 1) {
    const word = argv[i] as string;
    if (word === '--') {
      doubtful = false;
      continue;
    }
    if (word.startsWith('-') && word.length > 1) {
      const takes = wrapper.takes.includes(word);
      if (takes) i += 1;
      doubtful = !takes && !word.includes('=');
      continue;
    }
    if (ASSIGNMENT.test(word)) continue;
    if (operands > 0) {
      operands -= 1;
      continue;
    }
    return doubtful && i + 1 < argv.length ? [i, i + 1] : [i];
  }
  return [];
}

/** The text after `-c` in a shell's arguments, also in clusters such as `-lc`. */
function shellScript(argv: string[]): string[] {
  const at = argv.findIndex((word, i) => i > 0 && /^-[A-Za-z]*c[A-Za-z]*$/.test(word));
  const script = at < 0 ? undefined : argv.slice(at + 1).find((word) => !/^[-+]/.test(word));
  return script === undefined ? [] : [script];
}

function findCommands(argv: string[]): string[][] {
  const found: string[][] = [];
  argv.forEach((word, i) => {
    if (!FIND_RUNS.has(word)) return;
    const rest = argv.slice(i + 1);
    const end = rest.findIndex((part) => part === ';' || part === '+');
    found.push(end < 0 ? rest : rest.slice(0, end));
  });
  return found;
}

function afterOption(argv: string[], options: string[]): string[] {
  const at = argv.findIndex((word) => options.includes(word));
  const next = at < 0 ? undefined : argv[at + 1];
  return next === undefined ? [] : [next];
}

function wrapped(argv: string[], wrapper: Wrapper): Inner {
  const argvs = innerStarts(argv, wrapper).map((start) => argv.slice(start));
  return wrapper.shell === true
    ? { argvs, scripts: argvs.map((inner) => inner.join(' ')) }
    : { argvs, scripts: [] };
}

/**
 * The commands that `argv` would run itself (one level): through wrappers, `sh -c`, `eval`, `trap`, `find -exec`.
 * Empty for a command that runs none.
 */
export function innerCommands(argv: string[]): Inner {
  const name = programName(argv[0] ?? '');
  if (SHELLS.has(name)) return { argvs: [], scripts: shellScript(argv) };
  if (name === 'eval') return { argvs: [], scripts: [argv.slice(1).join(' ')] };
  if (name === 'trap') return { argvs: [], scripts: argv.slice(1, 2) };
  if (name === 'find') return { argvs: findCommands(argv), scripts: [] };
  if (name === 'su' || name === 'script')
    return { argvs: [], scripts: afterOption(argv, ['-c', '--command']) };
  if (name === 'command' && /^-[vV]+$/.test(argv[1] ?? '')) return { argvs: [], scripts: [] };
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  if (wrapper === undefined) return { argvs: [], scripts: [] };
  const inner = wrapped(argv, wrapper);
  if (name === 'env') inner.scripts.push(...afterOption(argv, ['-S', '--split-string']));
  if (name === 'flock') inner.scripts.push(...afterOption(argv, ['-c', '--command']));
  return inner;
}

/** Whether this program exists to run others, so that a rule on its name says nothing about what runs. */
export function runsOthers(name: string): boolean {
  return SHELLS.has(name) || Object.hasOwn(WRAPPERS, name) || ['eval', 'trap', 'su', 'script'].includes(name);
}
