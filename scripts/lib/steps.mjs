import { runCaptured, runForeground } from './run.mjs';

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} command executable and arguments
 * @property {string[]} [after] names of steps that must have ended, well or not
 * @property {boolean} [alone] waits for all others and shows its output as it comes
 * @property {(ok: boolean) => import('./test-counts.mjs').Counts} count
 * @property {() => import('./test-report.mjs').Failure[]} [failures] what failed in it, if it can tell
 *
 * @typedef {{ step: Step, ok: boolean, seconds: number, output: string }} StepResult `output` is empty where it was shown as it came
 */

/** One more than the cores of a small machine, since tests wait now and then. */
const LANES = 3;

/** What is shown again of a failed step that can't tell what failed in it. */
const OUTPUT_LINES = 20;

/**
 * Runs every step, a few at a time, whatever the others end like.
 *
 * @param {readonly Step[]} steps in the order in which to start them
 * @returns {Promise<StepResult[]>} in the order of `steps`
 */
export async function runSteps(steps) {
  /** @type {Map<string, StepResult>} */
  const done = new Map();
  const waiting = steps.filter((step) => !step.alone);
  /** @type {Map<string, Promise<void>>} */
  const running = new Map();
  while (waiting.length > 0 || running.size > 0) {
    const next = waiting.findIndex(({ after = [] }) => after.every((name) => done.has(name)));
    if (running.size < LANES && next !== -1) {
      const [step] = waiting.splice(next, 1);
      if (step)
        running.set(
          step.name,
          runQuietly(step).then((result) => finish(result)),
        );
    } else {
      await Promise.race(running.values());
    }
  }
  for (const step of steps.filter(({ alone }) => alone)) finish(await runAloud(step));
  return steps.flatMap((step) => done.get(step.name) ?? []);

  function finish(/** @type {StepResult} */ result) {
    done.set(result.step.name, result);
    running.delete(result.step.name);
  }
}

/** Shows a step's output when it is over, in one piece, and only if there is something to see. */
async function runQuietly(/** @type {Step} */ step) {
  const startedAt = performance.now();
  const [command = '', ...args] = step.command;
  const { code, output } = await runCaptured(command, args, { env: { ...process.env, FORCE_COLOR: '0' } });
  const result = { ...resultOf(step, code, startedAt), output };
  const isWorthReading = !result.ok || /\bwarning\b|not there yet/i.test(output);
  if (isWorthReading) console.log(`\n──── ${step.name}\n${output.trim()}\n────`);
  console.log(line(result));
  return result;
}

async function runAloud(/** @type {Step} */ step) {
  const startedAt = performance.now();
  const [command = '', ...args] = step.command;
  console.log(`\n──── ${step.name}`);
  const code = await runForeground(command, args);
  console.log('────');
  const result = resultOf(step, code, startedAt);
  console.log(line(result));
  return result;
}

const resultOf = (/** @type {Step} */ step, /** @type {number} */ code, /** @type {number} */ startedAt) => ({
  step,
  ok: code === 0,
  seconds: (performance.now() - startedAt) / 1000,
  output: '',
});

/**
 * What is to be read of a step that failed, in a few lines: its failed tests, else the end of its output.
 *
 * @param {StepResult} result
 */
export function failureLines({ step, ok, output }) {
  if (ok) return [];
  const failures = step.failures?.() ?? [];
  if (failures.length === 0)
    return [`${step.name} failed:`, ...output.trim().split('\n').slice(-OUTPUT_LINES)];
  return failures.flatMap(({ title, message }) => [
    `FAILED ${title}`,
    ...message.split('\n').map((text) => `  ${text}`),
  ]);
}

const line = (/** @type {StepResult} */ { step, ok, seconds }) =>
  `${ok ? '✓' : '✗'} ${step.name} (${seconds.toFixed(1)} s)`;
