import { runsOthers } from './shell-unwrap';

type Check = (args: string[]) => boolean;

const some =
  (pattern: RegExp): Check =>
  (args) =>
    args.some((arg) => pattern.test(arg));
const always: Check = () => true;

/** `sed` scripts that only print or substitute within the output. */
const HARMLESS_SED =
  /^(?:(?:\d+|\$)(?:,(?:\d+|\$))?)?(?:[pdq=]|s([/|#,])(?:(?!\1)[^\\\n]|\\[^\n])*\1(?:(?!\1)[^\\\n]|\\[^\n])*\1[gpiI\d]*)?$/;

function sedActs(args: string[]): boolean {
  if (args.some((arg) => /^-[a-zA-Z]*[isf]|^--(in|sep|file)/.test(arg))) return true;
  const scripts = args.some((arg) => /^(-e|--expression)/.test(arg))
    ? args.filter(
        (arg, i) => /^(-e|--expression)$/.test(args[i - 1] ?? '') || /^(-e.|--expression=)/.test(arg),
      )
    : args.filter((arg) => !arg.startsWith('-')).slice(0, 1);
  return scripts.some((script) => !HARMLESS_SED.test(script.replace(/^(-e|--expression=)/, '')));
}

function twoOperands(args: string[]): boolean {
  return args.filter((arg) => !arg.startsWith('-') || arg === '-').length > 1;
}

/** Programs that look as if they only read, and the arguments with which they don't (from their manuals). */
const LOOK_ALIKES: Record<string, Check> = {
  rg: some(/^--(pre|hostname-bin|hyperlink-format|search-zip)|^-[a-zA-Z]*z/),
  ag: some(/^--pager/),
  fd: some(/^-[a-zA-Z]*[xX]|^--exec/),
  fdfind: some(/^-[a-zA-Z]*[xX]|^--exec/),
  sed: sedActs,
  gsed: sedActs,
  find: some(/^-(exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/),
  awk: always,
  gawk: always,
  mawk: always,
  nawk: always,
  man: some(/^-[a-zA-Z]*[HPCX]|^--(h|pag|conf|gxdit|pre)/),
  sort: some(/^-[a-zA-Z]*[oT]|^--(o|c|t|files0)/),
  uniq: twoOperands,
  history: (args) => args.length > 0 && !/^\d+$/.test(args[0] as string),
  date: some(/^-[a-zA-Z]*[sf]|^--s|^--file|^\d+$/),
  hostname: (args) => args.some((arg) => !arg.startsWith('-')) || args.some((arg) => /^-F|^--file/.test(arg)),
  tree: some(/^-[a-zA-Z]*[oR]/),
  file: some(/^-[a-zA-Z]*[Cmf]|^--(compile|magic)/),
  diff: some(/^--(output|to-file)/),
  less: always,
  more: always,
  view: always,
  vi: always,
  vim: always,
  bat: some(/^--pager|^--(diff-)?config/),
  tar: some(
    /^--(to-command|checkpoint-action|use-compress|rsh-command|info-script|new-volume)|^-[a-zA-Z]*[IF]/,
  ),
  xxd: some(/^-r/),
  yq: some(/^-[a-zA-Z]*i|^--inplace/),
  perl: some(/^-[a-zA-Z]*[ieE]/),
  tee: always,
  ps: () => false,
};

/** Shell built-ins that change what later commands mean, or run text. */
const SHELL_STATE = new Set(
  'eval source . exec alias unalias trap export typeset declare local readonly unset enable hash set shopt bind complete compgen let read mapfile readarray printf getopts coproc fc function builtin command'.split(
    ' ',
  ),
);

function stateActs(name: string, args: string[]): boolean {
  if (name === 'printf') return args[0] === '-v';
  if (name === 'command') return !/^-[vV]$/.test(args[0] ?? '');
  return SHELL_STATE.has(name);
}

/**
 * Why a command that looks harmless by its name is not, or null. Such a command always asks, whatever a rule with a
 * wildcard says: the rule was made for the name, not for this.
 */
export function lookAlike(name: string, args: string[]): string | null {
  if (stateActs(name, args)) return `\`${name}\` changes the shell or runs text as a command.`;
  if (runsOthers(name)) return `\`${name}\` runs another command.`;
  const check = Object.hasOwn(LOOK_ALIKES, name) ? LOOK_ALIKES[name] : undefined;
  return check?.(args) === true ? `With these arguments \`${name}\` can write files or run programs.` : null;
}
