import { homedir } from 'node:os';
import { posix } from 'node:path';
import { gitFinding } from './danger-git';
import type { DangerLevel, Finding } from './finding';
import { lookAlike } from './danger-look-alikes';
import type { ShellParse, SimpleCommand } from './shell-parse';
import { programName } from './shell-unwrap';
import { isDisk, weighPath, type PathPlace, type PathWeight } from './system-paths';

const ORDER: DangerLevel[] = ['ask', 'danger', 'critical', 'block'];

function worse(a: Finding | null, b: Finding | null): Finding | null {
  if (a === null || b === null) return a ?? b;
  return ORDER.indexOf(b.level) > ORDER.indexOf(a.level) ? b : a;
}

function operands(args: string[]): string[] {
  const end = args.indexOf('--');
  const before = end < 0 ? args : args.slice(0, end);
  return [...before.filter((arg) => !arg.startsWith('-')), ...(end < 0 ? [] : args.slice(end + 1))];
}

function flagged(args: string[], letters: string, long: RegExp): boolean {
  const cluster = new RegExp(`^-[A-Za-z]*[${letters}]`);
  return args.some((arg) => (arg.startsWith('--') ? long.test(arg) : cluster.test(arg)));
}

function weightFinding(weight: PathWeight, verb: string): Finding | null {
  switch (weight) {
    case 'system':
      return { level: 'block', reason: `It ${verb} a folder that the whole system needs.` };
    case 'home':
      return { level: 'block', reason: `It ${verb} the home folder.` };
    case 'above_project':
      return { level: 'critical', reason: `It ${verb} a folder that holds the project.` };
    case 'project':
      return { level: 'critical', reason: `It ${verb} the whole project folder.` };
    case 'ordinary':
      return null;
  }
}

function heaviest(targets: string[], verb: string, place: PathPlace): Finding | null {
  return targets.reduce<Finding | null>(
    (worst, target) => worse(worst, weightFinding(weighPath(target, place), verb)),
    null,
  );
}

type Check = (args: string[], place: PathPlace) => Finding | null;

const danger = (reason: string): Finding => ({ level: 'danger', reason });
const block = (reason: string): Finding => ({ level: 'block', reason });

const remove: Check = (args, place) => {
  if (args.some((arg) => arg.startsWith('--no-pres'))) return block('It switches off the protection of `/`.');
  const recursive = flagged(args, 'rR', /^--r/);
  const heavy = recursive ? heaviest(operands(args), 'deletes', place) : null;
  if (heavy) return heavy;
  if (recursive) return danger('It deletes folders with everything in them.');
  return flagged(args, 'f', /^--f/) ? danger('It deletes files without asking.') : null;
};

const reown: Check = (args, place) => {
  if (!flagged(args, 'R', /^--rec/)) return null;
  return (
    heaviest(operands(args).slice(1), 'changes permissions of', place) ??
    danger('It changes permissions of a whole folder.')
  );
};

const find: Check = (args, place) => {
  const deletes =
    args.includes('-delete') || args.some((arg, i) => /^-(exec|ok)/.test(args[i - 1] ?? '') && arg === 'rm');
  if (!deletes) return null;
  const first = args.findIndex((arg) => /^[-(!]/.test(arg));
  const roots = args.slice(0, first < 0 ? args.length : first);
  const heavy = heaviest(roots, 'deletes files all over', place);
  return heavy?.level === 'block' ? heavy : danger('It deletes every file that it finds.');
};

const move: Check = (args, place) => {
  const heavy = heaviest(operands(args).slice(0, -1), 'moves away', place);
  return heavy ?? (operands(args).some(isDisk) ? block('It writes to a disk device.') : null);
};

const toDisk: Check = (args) =>
  args.some((arg) => isDisk(arg.replace(/^of=/, ''))) ? block('It writes to a disk device.') : null;

const dd: Check = (args) =>
  args.some((arg) => arg.startsWith('of=') && isDisk(arg.slice(3)))
    ? block('It writes to a disk device.')
    : args.some((arg) => arg.startsWith('of='))
      ? danger('It overwrites a file block by block.')
      : null;

const never =
  (reason: string): Check =>
  () =>
    block(reason);
const always =
  (reason: string): Check =>
  () =>
    danger(reason);
const firstArg =
  (words: string[], finding: Finding): Check =>
  (args) =>
    words.includes(operands(args)[0] ?? '') ? finding : null;

const POWER = block('It switches the machine off or restarts it.');
const kill: Check = (args) =>
  args.slice(1).includes('-1') || (args.includes('--') && args.includes('-1'))
    ? block('It ends every process of the user.')
    : null;

const CHECKS: Record<string, Check> = {
  rm: remove,
  chmod: reown,
  chown: reown,
  chgrp: reown,
  find,
  mv: move,
  cp: toDisk,
  tee: toDisk,
  dd,
  shred: (args) =>
    toDisk(args, { cwd: '/', projectRoot: '/' }) ?? danger('It destroys files beyond recovery.'),
  truncate: always('It cuts files off.'),
  wipefs: never('It destroys a file system.'),
  blkdiscard: never('It destroys a file system.'),
  mkswap: never('It destroys a file system.'),
  fdisk: always('It changes partitions.'),
  sfdisk: always('It changes partitions.'),
  parted: always('It changes partitions.'),
  shutdown: () => POWER,
  reboot: () => POWER,
  halt: () => POWER,
  poweroff: () => POWER,
  init: firstArg(['0', '6'], POWER),
  telinit: firstArg(['0', '6'], POWER),
  systemctl: firstArg(
    ['poweroff', 'reboot', 'halt', 'kexec', 'suspend', 'hibernate', 'rescue', 'emergency'],
    POWER,
  ),
  kill,
  killall5: never('It ends every process of the machine.'),
  sudo: always('It runs with the rights of another user.'),
  doas: always('It runs with the rights of another user.'),
  su: always('It runs with the rights of another user.'),
  rsync: (args) =>
    args.some((arg) => arg.startsWith('--del')) ? danger('It deletes files at the target.') : null,
  crontab: (args) => (flagged(args, 'r', /^$/) ? danger('It deletes all scheduled jobs.') : null),
  git: (args) => gitFinding(['git', ...args]),
  docker: (args) =>
    args.some((arg) => arg === 'prune') || (args.includes('rm') && flagged(args, 'fv', /^--(force|volumes)/))
      ? danger('It deletes containers, images or volumes.')
      : null,
  kubectl: firstArg(['delete', 'drain'], danger('It deletes resources of a cluster.')),
  terraform: firstArg(['destroy', 'apply'], danger('It changes or destroys infrastructure.')),
  dropdb: always('It deletes a database.'),
  npm: firstArg(['publish', 'unpublish'], danger('It publishes or withdraws a package.')),
  pnpm: firstArg(['publish'], danger('It publishes a package.')),
  yarn: firstArg(['publish'], danger('It publishes a package.')),
  cargo: firstArg(['publish', 'yank'], danger('It publishes or withdraws a package.')),
  twine: firstArg(['upload'], danger('It publishes a package.')),
};

const INTERPRETERS = /^(ba|da|z|k|a)?sh$|^(python|perl|ruby|node|php)[\d.]*$/;

/** The worst that one simple command does beyond what rules may decide; null when rules decide. */
export function judgeCommand(command: SimpleCommand, place: PathPlace): Finding | null {
  const [first = '', ...args] = command.argv;
  const name = programName(first);
  if (name.startsWith('mkfs')) return block('It destroys a file system.');
  const check = Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined;
  let worst: Finding | null = check?.(args, place) ?? null;
  if (command.piped && INTERPRETERS.test(name) && operands(args).length === 0) {
    worst = worse(worst, danger('It runs the output of another command as a program.'));
  }
  const looks = lookAlike(name, args);
  return worse(worst, looks === null ? null : { level: 'ask', reason: looks });
}

/** Where the shell stands after this command, as far as it is written out. */
export function placeAfter(command: SimpleCommand, place: PathPlace): PathPlace {
  const [name, target] = command.argv;
  if (name !== 'cd' && name !== 'pushd') return place;
  return { ...place, cwd: posix.resolve(place.cwd, target ?? homedir()) };
}

/** The worst of a whole line: its commands, wrapped ones too, its redirections and functions. */
export function judgeLine(parse: ShellParse, start: PathPlace): Finding | null {
  let worst: Finding | null = parse.forkBomb ? block('It starts copies of itself without end.') : null;
  if (parse.writesTo.some(isDisk)) worst = worse(worst, block('It writes to a disk device.'));
  let place = start;
  for (const command of parse.commands) {
    worst = worse(worst, judgeCommand(command, place));
    place = placeAfter(command, place);
  }
  return worst;
}
