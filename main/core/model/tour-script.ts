import { recordOf } from './loose';
import type { ModelMessage, ModelRequest } from './port';
import type { ScriptedReply } from './scripted-provider';

export const TOUR_PROVIDER_ID = 'tour';
export const TOUR_MODEL = 'scripted';
/** The label under which turns of the tour are shown. */
export const TOUR_NAME = 'Offline tour – scripted, no model';

const FILE = 'src/interval.js';
const WRONG = 'return a.start <= b.end && b.start <= a.end;';
const RIGHT = 'return a.start < b.end && b.start < a.end;';
const TEST_COMMAND = 'node --test';

/** One call of the tour so far, with what came back. */
interface Done {
  tool: string;
  args: Record<string, unknown>;
  result: string;
}

/**
 * The offline tour: what to say and do next in the sample project, worked out from what the tools really returned.
 * The bug, the failing test, the edit and the approval are real; only the decisions are scripted.
 */
export function tourScript(request: ModelRequest): ScriptedReply {
  const done = callsOfThisRound(request.messages);
  if (request.toolChoice === 'none' || request.tools.length === 0) return { text: summary(done) };
  const missing = ['list_dir', 'grep', 'read_file', 'run_command', 'edit_file'].filter(
    (name) => !request.tools.some((tool) => tool.name === name),
  );
  if (missing.length > 0) return { text: wrongMode(missing) };
  const last = done.at(-1);
  if (last === undefined) return begin();
  return (NEXT[last.tool] ?? finishWith('That was the tour. Ask again to see it from the start.'))(
    last,
    done,
    request,
  );
}

type NextStep = (last: Done, done: readonly Done[], request: ModelRequest) => ScriptedReply;

const finishWith =
  (text: string): NextStep =>
  () => ({ text });

/** What follows after each tool. */
const NEXT: Record<string, NextStep> = {
  list_dir: runTests,
  grep: runTests,
  run_command: afterTests,
  read_file: afterReading,
  edit_file: afterEdit,
};

function begin(): ScriptedReply {
  return {
    reasoning: 'This is the scripted tour. First look around, then run the tests to see what is broken.',
    text: 'This is the offline tour: my words are scripted, but the tools, the files and the approvals are real. I will find the failing test, fix the bug behind it and run the tests again. First I look around.',
    calls: [
      { tool: 'list_dir', args: {} },
      { tool: 'grep', args: { pattern: 'overlaps' } },
    ],
  };
}

function runTests(): ScriptedReply {
  return {
    text: 'A small booking library with its tests beside it. I run the tests; you are asked before any command runs.',
    calls: [{ tool: 'run_command', args: { command: TEST_COMMAND } }],
  };
}

const countIn = (word: string, output: string): number | null => {
  const found = new RegExp(`^\\W*${word} (\\d+)\\s*$`, 'm').exec(output)?.[1];
  return found === undefined ? null : Number(found);
};

const wasRefused = (result: string): boolean =>
  result.length < 2000 &&
  /\b(?:denied|den(?:y|ies)|rejected|refused|not approved|did not allow|no answer)\b/i.test(result);

function afterTests(last: Done, done: readonly Done[], request: ModelRequest): ScriptedReply {
  const failures = countIn('fail', last.result);
  const edited = done.some(({ tool, result }) => tool === 'edit_file' && !wasRefused(result));
  if (failures === null) return testsDidNotRun(last.result, edited);
  if (failures > 0) return edited ? stillFailing(failures) : readTheCode(failures);
  const passed = countIn('pass', last.result) ?? 0;
  return edited ? complete(request, passed) : alreadyFixed(request, passed);
}

function testsDidNotRun(result: string, edited: boolean): ScriptedReply {
  const state = edited ? `The fix in ${FILE} is in place, but it is not verified.` : 'Nothing was changed.';
  if (wasRefused(result)) return { text: `You did not allow the tests to run, so I stop here. ${state}` };
  return {
    text: `The tests could not be run here: the command gave no test summary. Is Node.js on the PATH? ${state}`,
  };
}

function readTheCode(failures: number): ScriptedReply {
  const what = failures === 1 ? 'One test fails' : `${failures} tests fail`;
  return {
    text: `${what}: a booking that begins when the one before it ends is turned away. Whether two bookings collide is decided by \`overlaps\`, so I read that file.`,
    calls: [{ tool: 'read_file', args: { path: FILE } }],
  };
}

const stillFailing = (failures: number): ScriptedReply => ({
  text: `After the edit ${failures === 1 ? 'one test still fails' : `${failures} tests still fail`}. The script of this tour knows one bug only, so I stop here; the output above shows what is left.`,
});

function alreadyFixed(request: ModelRequest, passed: number): ScriptedReply {
  return close(
    request,
    `All ${passed} tests pass: the bug of this tour is already fixed, so there was nothing to change. Undo the edit in ${FILE} to see the tour again.`,
  );
}

function afterReading(last: Done): ScriptedReply {
  if (last.result.includes(RIGHT)) {
    return {
      text: `\`overlaps\` in ${FILE} is already right, yet a test fails. The script of this tour knows one bug only, so I stop here.`,
    };
  }
  if (!last.result.includes(WRONG)) {
    return {
      text: `${FILE} is not what the tour expects, so I leave it alone rather than guess. Nothing was changed.`,
    };
  }
  return {
    reasoning:
      'AGENTS.md says that intervals are half open: the end does not belong to them. `<=` counts it in.',
    text: 'Here it is. Intervals are half open, so two of them that only touch share no time, but `<=` counts the touching minute as shared. Both comparisons have to be strict. You see the change before it is made.',
    calls: [{ tool: 'edit_file', args: { path: FILE, old_string: WRONG, new_string: RIGHT } }],
  };
}

function afterEdit(last: Done): ScriptedReply {
  if (wasRefused(last.result)) {
    return {
      text: `You did not allow the edit, so ${FILE} stays as it was and the test goes on failing. That is the point of asking: nothing is written without your word. Send another message to see the tour again.`,
    };
  }
  return {
    text: 'The edit is made. I run the tests again to see whether it really is the fix.',
    calls: [{ tool: 'run_command', args: { command: TEST_COMMAND } }],
  };
}

function complete(request: ModelRequest, passed: number): ScriptedReply {
  return close(
    request,
    `Fixed: back-to-back bookings are accepted now. \`overlaps\` in ${FILE} compared with \`<=\` and so counted the end of an interval as part of it; it compares with \`<\` now. All ${passed} tests pass. To do this in a project of your own, set up a model in the settings.`,
  );
}

function close(request: ModelRequest, result: string): ScriptedReply {
  if (!request.tools.some(({ name }) => name === 'attempt_completion')) return { text: result };
  return { calls: [{ tool: 'attempt_completion', args: { result } }] };
}

const wrongMode = (missing: readonly string[]): string =>
  `The offline tour edits a file and runs a command, but this mode does not offer ${missing.join(', ')}. Switch to Agent mode and send the message again.`;

function summary(done: readonly Done[]): string {
  const edited = done.some(({ tool, result }) => tool === 'edit_file' && !wasRefused(result));
  return edited
    ? `The tour made its edit in ${FILE}; see the diff above.`
    : 'The tour looked at the sample project and changed nothing.';
}

/** The calls since the tour last came to an end, in order, each with its result. */
function callsOfThisRound(messages: readonly ModelMessage[]): Done[] {
  let done: Done[] = [];
  let ended = false;
  const open = new Map<string, Done>();
  for (const message of messages) {
    if (message.role === 'user' && (ended || wasStopped(done.at(-1)))) done = [];
    if (message.role === 'assistant') {
      ended = (message.calls ?? []).length === 0;
      for (const call of message.calls ?? []) {
        const entry: Done = { tool: call.name, args: argsOf(call.arguments), result: '' };
        open.set(call.id, entry);
        done.push(entry);
        if (call.name === 'attempt_completion') ended = true;
      }
    }
    if (message.role === 'tool') {
      const entry = open.get(message.callId);
      if (entry !== undefined) entry.result = message.content;
    }
  }
  return done;
}

const wasStopped = (last: Done | undefined): boolean =>
  last !== undefined &&
  last.result.length < 500 &&
  /\b(?:stopped|cancelled|interrupted)\b/i.test(last.result);

function argsOf(text: string): Record<string, unknown> {
  try {
    return recordOf(JSON.parse(text)) ?? {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
