import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ContextAction } from '../../../shared/contract/context';
import type { ModelMessage, ResolvedModel } from '../model/port';
import { ScriptedProvider } from '../model/scripted-provider';
import { openStore } from '../store/open-store';
import type { Store } from '../store/types';
import { scratchFolder } from '../testing/scratch-folder';
import { compactSession } from './compaction/compact-session';
import { ContextDesk } from './context-desk';
import type { ContextEntry } from './entry';
import { InTurnCompaction } from './in-turn-compaction';
import { layOut, messagesOf, replacedItems, standingCompaction } from './lay-out';
import { markFor, pinLimit, pinnedTokens } from './marking';
import { NO_RULES } from './rules/rule-desk';
import type { SessionContext } from './session-context';
import { TokenCalibration } from './token-calibration';
import { estimateRequestTokens } from './tokens';

let dir: string;
let store: Store;
let ids = 0;
const newId = (): string => `k${(ids += 1)}`;
beforeEach(() => {
  dir = scratchFolder('lathe-context-');
  store = openStore({ dataDir: dir });
});
afterEach(() => {
  store.close();
  rmSync(dir, { recursive: true, force: true });
});

const WINDOW = 20_000;
const desk = (): ContextDesk =>
  new ContextDesk({
    store: store.context,
    calibration: new TokenCalibration(store.state),
    rules: () => NO_RULES,
    flushFacts: () => Promise.resolve(),
    newId,
    onError: (_what, error) => {
      throw error;
    },
  });

function newSession(): string {
  const project = store.projects.open(dir, { name: 'p', device: null, inode: null, isTour: false });
  return store.sessions.create({
    ...{ id: newId(), projectId: project.id, projectPath: dir, mode: 'agent', model: null, title: 't' },
  }).id;
}

const summarised = Array.from({ length: 40 }, (_, n) => `fact${n} about file${n}.ts and step${n}`).join('. ');

function model(): ResolvedModel {
  const provider = new ScriptedProvider({ script: () => `${summarised} (${newId()})` });
  return { provider, model: 'm', contextWindow: WINDOW, reason: 'test' };
}

/** One session that is played on without a model: messages come, are pinned, summarised, shrunk and taken out. */
class Play {
  readonly entries: ContextEntry[] = [];
  readonly shrink = new InTurnCompaction();
  readonly context: SessionContext;
  private readonly model = model();
  private calls = 0;

  constructor() {
    this.context = desk().of(newSession());
  }

  private add(message: ModelMessage): void {
    this.entries.push({ id: newId(), message });
  }

  turn(steps: number, chars: number): void {
    this.add({ role: 'user', content: `question ${newId()} "quoted" \n ü ${'q'.repeat(chars % 200)}` });
    for (let step = 0; step < steps; step += 1) {
      const made = Array.from({ length: 1 + (step % 3) }, () => `c${(this.calls += 1)}`);
      this.add({
        role: 'assistant',
        content: `look ${newId()}`,
        calls: made.map((id) => ({ id, name: 'read_file', arguments: `{"path":"${id}"}` })),
      });
      for (const callId of made)
        this.add({ role: 'tool', callId, name: 'read_file', content: `${callId} ${'x\\'.repeat(chars)}` });
    }
    this.add({ role: 'assistant', content: `answer ${newId()}` });
  }

  laidOut() {
    return layOut({
      entries: this.entries,
      compactions: this.context.compactions(),
      marks: this.context.marks(),
      shrink: this.shrink,
    });
  }

  messages(): ModelMessage[] {
    return messagesOf(this.laidOut());
  }

  all() {
    const { compaction, items } = this.laidOut();
    const replaced = compaction ? replacedItems(compaction, this.entries, this.context.marks()) : [];
    return [...replaced, ...items];
  }

  mark(at: number, action: ContextAction): void {
    const all = this.all();
    const item = all[at % Math.max(1, all.length)];
    if (!item) return;
    const marks = new Map(this.context.marks());
    const lastRequest = this.entries.findLast(({ message }) => message.role === 'user')?.id ?? null;
    try {
      this.context.setMark(
        item.id,
        markFor({ action, item, all, marks, lastRequest, window: WINDOW, ratio: 1 }),
      );
    } catch {
      // A refusal changes nothing.
    }
  }

  async compact(): Promise<void> {
    await compactSession(
      {
        ...{ tier: 'full', entries: this.entries, todos: [], focus: '', squeeze: true, model: this.model },
        standing: standingCompaction(this.context.compactions(), this.entries),
        beforeTokens: estimateRequestTokens(this.messages(), []),
        second: () => Promise.resolve(null),
        signal: new AbortController().signal,
      },
      this.context,
    );
  }

  undo(): void {
    const standing = standingCompaction(this.context.compactions(), this.entries);
    if (standing) this.context.undoCompaction(standing.id);
  }

  shrinkResults(): void {
    this.shrink.run({
      entries: this.laidOut().items.map(({ id, message }) => ({ id, message })),
      fixed: new Set(this.context.marks().map(([id]) => id)),
      window: 2_000,
      measure: () => estimateRequestTokens(this.messages(), []),
    });
  }

  /** What must hold for every request that could go out now. */
  check(): void {
    const messages = this.messages();
    const body = JSON.stringify(messages);
    const marks = new Map(this.context.marks());
    for (const { id, message } of this.entries) {
      if (marks.get(id) !== 'pinned') continue;
      expect(body).toContain(JSON.stringify(message.content).slice(1, -1));
    }
    expect(pinnedTokens(this.all(), marks, 1)).toBeLessThanOrEqual(pinLimit(WINDOW));
    const last = this.entries.findLast(({ message }) => message.role === 'user');
    if (last) expect(body).toContain(JSON.stringify(last.message.content).slice(1, -1));
    expectPaired(messages);
  }
}

function expectPaired(messages: readonly ModelMessage[]): void {
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      expect(message.callId).toBe(open.shift());
      continue;
    }
    expect(open).toEqual([]);
    open = message.role === 'assistant' ? (message.calls ?? []).map(({ id }) => id) : [];
  }
  expect(open).toEqual([]);
}

const action = fc.constantFrom<ContextAction>('pin', 'pin', 'unpin', 'evict', 'collapse', 'restore');
const move = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ turn: fc.integer({ min: 0, max: 4 }), chars: fc.integer({ min: 0, max: 900 }) }),
  },
  { weight: 6, arbitrary: fc.record({ mark: fc.nat(200), action }) },
  { weight: 3, arbitrary: fc.constant('compact' as const) },
  { weight: 1, arbitrary: fc.constant('undo' as const) },
  { weight: 2, arbitrary: fc.constant('shrink' as const) },
);

test('pins are in every later request word for word, and calls are never split from their results', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 5, maxLength: 40 }), async (moves) => {
      const play = new Play();
      for (const next of moves) {
        if (next === 'compact') await play.compact();
        else if (next === 'undo') play.undo();
        else if (next === 'shrink') play.shrinkResults();
        else if ('turn' in next) play.turn(next.turn, next.chars);
        else play.mark(next.mark, next.action);
        play.check();
      }
    }),
    { numRuns: 60 },
  );
}, 60_000);

test('a pinned result keeps the message with its call, also when that one is taken out', () => {
  const play = new Play();
  play.turn(1, 10);
  play.mark(1, 'evict');
  play.mark(2, 'pin');
  play.check();
});

test('marks survive a restart of the process', () => {
  const play = new Play();
  play.turn(1, 10);
  play.mark(1, 'pin');
  const id = play.entries[1]?.id;
  const sessionId = store.sessions.list({ projectId: null })[0]?.id ?? '';
  expect(desk().of(sessionId).marks()).toEqual([[id, 'pinned']]);
});

test('pins end at a quarter of the window, and the refusal says so', () => {
  const play = new Play();
  play.turn(8, 1_000);
  const marks = new Map(play.context.marks());
  let refusal = '';
  for (const item of play.all().filter(({ message }) => message.role === 'tool')) {
    try {
      const all = play.all();
      marks.set(
        item.id,
        markFor({ action: 'pin', item, all, marks, lastRequest: null, window: 24_000, ratio: 1 }) ?? 'pinned',
      );
    } catch (error) {
      refusal = String(error);
    }
  }
  expect(marks.size).toBeGreaterThan(1);
  expect(pinnedTokens(play.all(), marks, 1)).toBeLessThanOrEqual(6_000);
  expect(refusal).toContain('the limit is 25 %');
});

test('a result that is taken out leaves a line for its call; its call takes all its results along', () => {
  const play = new Play();
  play.turn(2, 300);
  const result = play.all().findIndex(({ message }) => message.role === 'tool');
  play.mark(result, 'evict');
  expect(play.messages()[result]?.content).toContain('result left out');
  play.mark(result - 1, 'evict');
  expect(play.messages()).toHaveLength(play.entries.length - 2);
  play.mark(result - 1, 'restore');
  play.mark(result, 'restore');
  expect(play.messages()).toEqual(play.entries.map(({ message }) => message));
});

test('what is being worked on, pinned or as short as it gets is not touched, with the reason', () => {
  const play = new Play();
  play.turn(0, 5);
  const all = play.all();
  const [question, answer] = all;
  if (!question || !answer) throw new Error('no items');
  const base = { all, marks: new Map(), lastRequest: question.id, window: WINDOW, ratio: 1 };
  expect(() => markFor({ ...base, action: 'evict', item: question })).toThrow('being worked on');
  expect(() => markFor({ ...base, action: 'collapse', item: answer })).toThrow('as short as it gets');
  expect(() => markFor({ ...base, action: 'restore', item: answer })).toThrow('Nothing was changed');
  expect(() => markFor({ ...base, action: 'unpin', item: answer })).toThrow('not pinned');
});

test('what was taken out of the context does not come back by a summary', async () => {
  const play = new Play();
  for (let n = 0; n < 6; n += 1) play.turn(1, 300);
  const first = play.entries[0]?.message.content ?? '';
  play.mark(1, 'evict');
  play.mark(0, 'evict');
  const provider = new ScriptedProvider({ script: () => summarised });
  await compactSession(
    {
      ...{
        tier: 'full',
        entries: play.entries,
        todos: [],
        focus: '',
        squeeze: true,
        standing: null,
        beforeTokens: 9_000,
      },
      model: { provider, model: 'm', contextWindow: WINDOW, reason: '' },
      second: () => Promise.resolve(null),
      signal: new AbortController().signal,
    },
    play.context,
  );
  const asked = JSON.stringify(provider.requests[0]?.messages);
  expect(asked).not.toContain(JSON.stringify(first).slice(1, -1));
  expect(asked).not.toContain('{\\"path\\":\\"c1\\"}');
  expect(asked).toContain('c2');
});

test('X4: a compaction does not count when a message it replaces was changed, and counts again when it is back', async () => {
  const play = new Play();
  for (let n = 0; n < 6; n += 1) play.turn(1, 300);
  await play.compact();
  const whole = play.entries.length;
  expect(play.messages().length).toBeLessThan(whole);
  const [first] = play.entries;
  if (!first) throw new Error('no entries');
  play.entries[0] = { id: first.id, message: { role: 'user', content: 'another' } };
  expect(play.messages()).toHaveLength(whole);
  play.entries[0] = first;
  expect(play.messages().length).toBeLessThan(whole);
  // case-K08: rewound to before its end
  expect(
    layOut({
      ...{ entries: play.entries.slice(0, 3), compactions: play.context.compactions(), marks: [] },
      shrink: play.shrink,
    }).compaction,
  ).toBeNull();
});
