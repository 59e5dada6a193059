import type { ErrorShape } from '../../shared/error';
import { type FileDiff, SMALL_DIFF_LINES } from '../../shared/model/diff';
import type { CallState, TurnEvent } from '../../shared/model/turn-event';
import type { Io } from './io';
import { plainLine, plainText } from './plain-text';

/** Takes the events of one turn in order. */
export type Reporter = (event: TurnEvent) => void;

/** One event per line and nothing else, for scripts. */
export const jsonReporter =
  (io: Pick<Io, 'stdout'>): Reporter =>
  (event) =>
    void io.stdout.write(`${JSON.stringify(event)}\n`);

const MARKS: Partial<Record<CallState, string>> = { success: '✓', error: '✗', denied: '⊘', cancelled: '–' };

/** The model's text on standard output as it streams; what happens on the way on standard error. */
export function readableReporter(io: Pick<Io, 'stdout' | 'stderr'>): Reporter {
  const labels = new Map<string, string>();
  let stepText = '';
  let atLineStart = true;

  const out = new LateOutput();

  const text = (piece: string) => {
    const plain = plainText(piece);
    if (plain === '') return;
    out.add(io.stdout, plain);
    atLineStart = plain.endsWith('\n');
  };
  const endLine = () => {
    if (!atLineStart) out.add(io.stdout, '\n');
    atLineStart = true;
  };
  const progress = (line: string) => {
    endLine();
    out.add(io.stderr, `${line}\n`);
  };
  const finish = (event: Extract<TurnEvent, { type: 'turn.finished' }>) => {
    // An answer given by a tool call was not streamed as text.
    if (event.text.trim() !== '' && event.text.trim() !== stepText.trim()) text(event.text);
    endLine();
    if (event.reason !== 'done') progress(ending(event));
    for (const line of doubts(event)) progress(line);
  };

  const report: Reporter = (event) => {
    switch (event.type) {
      case 'model.resolved':
        return progress(
          `Model: ${plainLine(`${event.provider}/${event.model}`)}${event.scripted ? ' (scripted, no model)' : routed(event.reason)}`,
        );
      case 'step.started':
        stepText = '';
        return endLine();
      case 'text.delta':
        stepText += event.text;
        return text(event.text);
      case 'text.reset':
        stepText = '';
        return progress('(The answer so far is void; the model is asked again.)');
      case 'call.requested':
        labels.set(event.callId, event.label);
        return progress(`· ${plainLine(event.label)}`);
      case 'call.state': {
        const line = callLine(event, labels.get(event.callId));
        if (line !== null) progress(line);
        return;
      }
      case 'diff':
        return progress(diffLines(event.diff).join('\n'));
      case 'nudge':
        return progress(`  ${plainLine(event.text)}`);
      case 'retry':
        return progress(
          `  ${plainLine(event.reason)} – try ${event.attempt} of ${event.maxAttempts} in ${(event.waitMs / 1000).toFixed(1)} s`,
        );
      case 'compaction':
        return progress(`  ${plainLine(event.note)}`);
      case 'turn.finished':
        return finish(event);
      default:
        return;
    }
  };
  return (event) => {
    report(event);
    // Everything else may be followed by a question, or by the end.
    if (!FOLLOWED.has(event.type)) out.flush();
  };
}

/** Events in the middle of a step: the next thing that happens is of the agent's own. */
const FOLLOWED: ReadonlySet<TurnEvent['type']> = new Set([
  'step.started',
  'call.requested',
  'call.state',
  'diff',
]);

/**
 * Output that is written when the process gets to it, in the order in which it came: a write to a pipe takes as long as
 * a tenth of a whole step, and the agent need not wait for it.
 */
class LateOutput {
  private readonly waiting: { stream: Io['stdout']; text: string }[] = [];
  private timer: NodeJS.Immediate | null = null;

  add(stream: Io['stdout'], text: string): void {
    const last = this.waiting.at(-1);
    if (last?.stream === stream) last.text += text;
    else this.waiting.push({ stream, text });
    this.timer ??= setImmediate(() => this.flush());
  }

  flush(): void {
    if (this.timer !== null) clearImmediate(this.timer);
    this.timer = null;
    for (const { stream, text } of this.waiting.splice(0)) stream.write(text);
  }
}

/** The line for a call that is over; null when it says no more than the line at its start. */
function callLine(
  event: Extract<TurnEvent, { type: 'call.state' }>,
  asked: string | undefined,
): string | null {
  const mark = MARKS[event.state];
  if (mark === undefined) return null;
  const label = event.label ?? asked ?? event.tool;
  if (event.state === 'success' && label === asked) return null;
  const exitCode = event.result?.exitCode;
  const facts = [
    ...(event.state === 'denied' ? [`denied${event.by === undefined ? '' : ` (${event.by})`}`] : []),
    ...(exitCode == null || exitCode === 0 ? [] : [`exit ${exitCode}`]),
    ...(event.error ? [plainLine(event.error.message)] : []),
  ];
  return `${mark} ${plainLine(label)}${facts.length > 0 ? ` – ${facts.join(', ')}` : ''}`;
}

/** One line of summary; small changes are shown whole. */
export function diffLines(diff: FileDiff): string[] {
  const head = `  ${plainLine(diff.path)} (${diff.change}) +${diff.additions} −${diff.deletions}`;
  if (diff.additions + diff.deletions > SMALL_DIFF_LINES) return [head];
  const changed = diff.hunks.flatMap((hunk) => hunk.lines).filter((line) => line.kind !== 'context');
  return [head, ...changed.map((line) => `    ${line.kind === 'add' ? '+' : '-'} ${plainLine(line.text)}`)];
}

const REASONS = {
  step_limit: 'Stopped at the limit of steps.',
  repeated_calls: 'Stopped: the model repeated the same calls.',
  budget: 'Stopped: the budget is used up.',
  stopped: 'Stopped.',
  error: 'Failed.',
  done: 'Done.',
} as const;

/** Which model was taken is worth a word where nobody chose it. */
const routed = (reason: string): string => (reason.startsWith('auto: ') ? ` (${plainLine(reason)})` : '');

/** Statements of the answer that the turn's events do not show. */
const doubts = ({ receipt }: Extract<TurnEvent, { type: 'turn.finished' }>): string[] =>
  (receipt?.claims ?? [])
    .filter(({ supported }) => !supported)
    .map(({ text, reason }) => `! No evidence for “${plainLine(text)}”: ${plainLine(reason)}`);

const ending = (event: Extract<TurnEvent, { type: 'turn.finished' }>): string =>
  event.error ? describeFailure(event.error) : `${REASONS[event.reason]}${guardWords(event)}`;

/** The limit of steps says it all by itself. */
const guardWords = ({ reason, why }: Extract<TurnEvent, { type: 'turn.finished' }>): string =>
  why === undefined || reason === 'step_limit' ? '' : ` ${plainLine(why)}`;

/** Message and hint on a line each. */
export const describeFailure = ({ message, hint }: Pick<ErrorShape, 'message' | 'hint'>): string =>
  `lathe: ${plainText(message)}${hint === undefined ? '' : `\n${plainText(hint)}`}`;
