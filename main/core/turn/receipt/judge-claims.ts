import type { CheckKind, ReceiptClaim } from '../../../../shared/model/receipt';
import { holdsFakeResult } from '../text-calls';
import { findClaims, type FoundClaim } from './claims';
import { mayWrite } from './command-kind';
import type { RanCommand, TurnEvidence } from './evidence';

interface Judgement {
  supported: boolean;
  reason: string;
}

const yes = (reason: string): Judgement => ({ supported: true, reason });
const no = (reason: string): Judgement => ({ supported: false, reason });

const NAMES: Record<CheckKind, string> = {
  tests: 'test',
  types: 'type check',
  lint: 'lint',
  build: 'build',
  any: 'check',
};

const isOf = (command: RanCommand, check: CheckKind): boolean =>
  command.checks.includes(check) || command.checks.includes('any');

/** "Passes" needs a run of that check that ended with 0 after the last edit. */
function passed(check: CheckKind, evidence: TurnEvidence): Judgement {
  const name = NAMES[check];
  const runs = evidence.commands.filter((command) => isOf(command, check));
  const last = runs.at(-1);
  if (last === undefined) return no(`No ${name} command ran in this turn.`);
  if (last.outcome === 'background')
    return no(`The last ${name} command runs in the background; its end is not known.`);
  if (last.exitCode !== 0) {
    return no(
      `The last ${name} command ended with ${last.exitCode === null ? 'no exit code' : `exit ${last.exitCode}`}.`,
    );
  }
  if (last.editsBefore < evidence.editCount) return no(`Files were edited after the last ${name} run.`);
  if (!last.exitTells) return no(`Exit 0 of the last ${name} command is that of a later part of its line.`);
  return yes(`\`${last.command}\` ended with exit 0 after the last edit.`);
}

const squeezed = (command: string): string => command.replaceAll(/\s+/g, ' ').trim().toLowerCase();

function ran(claim: FoundClaim, evidence: TurnEvidence): Judgement {
  if (claim.command !== undefined) {
    const wanted = squeezed(claim.command);
    const run = evidence.commands.find(({ command }) => {
      const known = squeezed(command);
      return known.includes(wanted) || (known.length > 3 && wanted.includes(known));
    });
    return run ? yes('The command ran in this turn.') : no('No such command ran in this turn.');
  }
  const check = claim.check ?? 'any';
  const run = evidence.commands.some((command) => isOf(command, check));
  return run
    ? yes(`A ${NAMES[check]} command ran in this turn.`)
    : no(`No ${NAMES[check]} command ran in this turn.`);
}

const sameFile = (path: string, named: string): boolean => {
  const name = named.replace(/^\.\//, '');
  return path === name || path.endsWith(`/${name}`) || name.endsWith(`/${path}`);
};

function edited({ files = [] }: FoundClaim, evidence: TurnEvidence): Judgement {
  if (files.length === 0) {
    return evidence.mayHaveChanged
      ? yes('Files were changed in this turn.')
      : no('Nothing was changed in this turn.');
  }
  const changed = evidence.files.flatMap(({ path, movedFrom }) => [
    path,
    ...(movedFrom === undefined ? [] : [movedFrom]),
  ]);
  const written = evidence.commands.filter(
    ({ command, outcome }) => outcome !== 'failed' && mayWrite(command),
  );
  const covered = (file: string): boolean =>
    changed.some((path) => sameFile(path, file)) || written.some(({ command }) => command.includes(file));
  const missing = files.filter((file) => !covered(file));
  if (missing.length === 0) return yes('The file was changed in this turn.');
  const names = missing.slice(0, 3).map((file) => `\`${file}\``);
  return no(`No edit of ${names.join(', ')} succeeded in this turn.`);
}

function verified(evidence: TurnEvidence): Judgement {
  const since = evidence.commands.filter((command) => command.editsBefore >= evidence.editCount);
  if (since.some(({ outcome }) => outcome === 'ended'))
    return yes('A command ended with exit 0 after the last edit.');
  if (evidence.editCount === 0 && evidence.tools.size > 0) return yes('Tools were used in this turn.');
  return no('No command ended with exit 0 after the last edit.');
}

function judge(claim: FoundClaim, evidence: TurnEvidence): Judgement {
  switch (claim.kind) {
    case 'checks':
      return passed(claim.check ?? 'any', evidence);
    case 'ran':
      return ran(claim, evidence);
    case 'edited':
      return edited(claim, evidence);
    case 'verified':
      return verified(evidence);
    case 'tool_result':
      return no('The model wrote this itself; no tool returned it.');
  }
}

/** Each statement of the answer with what the events say to it. Results that the model made up are one more (fault-F78). */
export function judgeClaims(answer: string, evidence: TurnEvidence): ReceiptClaim[] {
  const found = findClaims(answer);
  if (holdsFakeResult(answer)) found.push({ kind: 'tool_result', text: 'A tool result written as text' });
  return found.map((claim) => ({ kind: claim.kind, text: claim.text, ...judge(claim, evidence) }));
}
