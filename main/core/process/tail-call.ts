/** Words that look like a program and are part of the shell's grammar. */
const KEYWORDS = new Set(
  'if then else elif fi case esac for select while until do done in function time coproc'.split(' '),
);

/** A program's name: nothing that the shell would expand, and no assignment. */
const PROGRAM = String.raw`[\w./+@][\w./+@:-]*`;
/** An argument whose meaning is the same after `exec`: plain, or quoted without anything that is expanded. */
const ARGUMENT = String.raw`(?:[\w./+@%:,=^~*?-]|'[^'\n]*'|"[^"$\x60\\!\n]*")+`;
const SIMPLE = new RegExp(`^(${PROGRAM})(?: +${ARGUMENT})*$`);

/**
 * What a shell that runs already has to evaluate so that `command` does what it does after `bash -c`. There a program that
 * is the whole command takes the shell's place: it has the shell's process number, and a signal that ends it is seen as
 * such and not as an exit code. Built-ins, and names that can't be found, are left to the shell.
 */
export function asTailCall(command: string): string {
  const program = SIMPLE.exec(command)?.[1];
  if (program === undefined || KEYWORDS.has(program)) return command;
  const isProgram = program.includes('/')
    ? `[[ -f ${program} && -x ${program} ]]`
    : `{ hash -- ${program} && hash -t -- ${program}; } &>/dev/null`;
  return `${isProgram} && exec ${command}; ${command}`;
}
