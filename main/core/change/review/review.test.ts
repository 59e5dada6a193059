import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { calls, type ChatBody } from '../../../../e2e/support/scripted-model/script-reply';
import { ALL, edit, patch, startReview, write } from './testing/review-bench';

const ROWS = 'a\nb\nc\nd\ne\nf\ng\nh\n';

test('pending changes of a turn are shown by hunk, each with the turn that made it', async () => {
  const bench = await startReview([edit('a.txt', 'b\n', 'B\n'), 'Done.', edit('a.txt', 'g\n', ''), 'Done.'], {
    'a.txt': ROWS,
  });
  await bench.app.turn('large b');
  await bench.app.turn('no g');
  expect(await bench.pending()).toEqual(['modify a.txt 2']);
  const texts = await bench.review.pendingFile('a.txt', ALL);
  expect(texts).toMatchObject({ base: ROWS, current: 'a\nB\nc\nd\ne\nf\nh\n' });
  expect(texts.file).toMatchObject({ additions: 1, deletions: 2, isOpaque: false, canReject: true });
  expect(texts.hunks.map(({ turns, isMixed }) => [turns.map(({ number }) => number), isMixed])).toEqual([
    [[1], false],
    [[2], false],
  ]);
  expect(texts.hunks[0]?.hunk).toMatchObject({ oldStart: 1, oldLines: 5, newStart: 1, newLines: 5 });
});

test('accepting a hunk moves the base by it alone; rejecting another writes its base lines', async () => {
  const bench = await startReview([write('a.txt', 'A\nb\nc\nd\ne\nf\ng\nH\n'), 'Done.', 'Go on.'], {
    'a.txt': ROWS,
  });
  await bench.app.turn('ends');
  const [first, last] = await bench.hunks('a.txt');
  await bench.accept('a.txt', [first?.id ?? '']);
  expect(await bench.lines('a.txt')).toEqual(['-h +H']);
  expect((await bench.hunks('a.txt'))[0]?.id).toBe(last?.id);
  const { result, pending } = await bench.reject('a.txt', [last?.id ?? '']);
  expect(pending).toEqual([]);
  expect(result).toMatchObject({ files: [{ path: 'a.txt', outcome: 'restored' }], conflicts: [] });
  expect(await bench.app.read('a.txt')).toBe('A\nb\nc\nd\ne\nf\ng\nh\n');
  expect(await bench.pending()).toEqual([]);
  const [entry] = bench.app.core.changes.log.list({ limit: 1 });
  expect(entry?.author).toMatchObject({ kind: 'undo', cause: 'reject' });
});

test('a rejection is told to the model with the lines, and stands in the transcript', async () => {
  const bench = await startReview([edit('a.txt', 'b\n', 'B\n'), 'Done.', 'I see.'], { 'a.txt': ROWS });
  await bench.app.turn('large b');
  const { result } = await bench.reject('a.txt');
  const { view } = await bench.app.turn('and now?');
  expect(bench.lastMessages()).toContain('rejected the changes in `a.txt`');
  expect(bench.lastMessages()).toContain('as before in these lines\\n-b\\n+B');
  expect(view.items).toContainEqual(
    expect.objectContaining({
      kind: 'undo',
      undo: expect.objectContaining({ cause: 'reject', setId: result.setId }) as unknown,
    }),
  );
});

test('a rejection can be taken back, and what it had taken then waits again', async () => {
  const bench = await startReview([edit('a.txt', 'b\n', 'B\n'), 'Done.'], { 'a.txt': ROWS });
  await bench.app.turn('large b');
  const { result } = await bench.reject('a.txt');
  expect(await bench.app.read('a.txt')).toBe(ROWS);
  await bench.app.core.changes.undo.redo(result.setId ?? '');
  expect(await bench.app.read('a.txt')).toBe(ROWS.replace('b', 'B'));
  expect(await bench.lines('a.txt')).toEqual(['-b +B']);
  expect((await bench.hunks('a.txt'))[0]?.turns).toMatchObject([{ number: 1 }]);
});

test('what was accepted and pending survives a restart in between', async () => {
  const bench = await startReview(
    [write('a.txt', 'A\nb\nc\nd\ne\nf\ng\nH\n'), 'Done.', edit('a.txt', 'd', 'D'), 'Done.'],
    {
      'a.txt': ROWS,
    },
  );
  await bench.app.turn('ends');
  await bench.accept('a.txt', [(await bench.hunks('a.txt'))[0]?.id ?? '']);
  await bench.restart();
  expect(await bench.lines('a.txt')).toEqual(['-h +H']);
  await bench.app.turn('middle');
  expect(await bench.lines('a.txt')).toEqual(['-d +D', '-h +H']);
  await bench.restart();
  await bench.reject('a.txt');
  expect(await bench.app.read('a.txt')).toBe(ROWS.replace('a', 'A'));
  expect(await bench.pending()).toEqual([]);
});

test('edits of the user between and after stay, and are no part of what waits', async () => {
  const bench = await startReview(
    [edit('a.txt', 'b\n', 'B\n'), 'Done.', edit('a.txt', 'g\n', 'G\n'), 'Done.'],
    {
      'a.txt': ROWS,
    },
  );
  await bench.app.turn('one');
  await bench.save('a.txt', 'a\nB\nc\nd\nuser\ne\nf\ng\nh\n');
  await bench.app.turn('two');
  await writeFile(bench.path('a.txt'), 'outside\na\nB\nc\nd\nuser\ne\nf\nG\nh\n');
  expect(await bench.lines('a.txt')).toEqual(['-b +B', '-g +G']);
  await bench.reject('a.txt');
  expect(await bench.app.read('a.txt')).toBe('outside\na\nb\nc\nd\nuser\ne\nf\ng\nh\n');
});

test('an edit in place changes the pending hunk, which says that a person has a part in it', async () => {
  const bench = await startReview([edit('a.txt', 'b\n', 'B1\nB2\n'), 'Done.'], { 'a.txt': ROWS });
  await bench.app.turn('one');
  await bench.save('a.txt', ROWS.replace('b\n', 'B1\nmine\n'));
  expect(await bench.lines('a.txt')).toEqual(['-b +B1 +mine']);
  expect((await bench.hunks('a.txt'))[0]?.isMixed).toBe(true);
  await bench.save('a.txt', ROWS);
  expect(await bench.pending()).toEqual([]);
});

test('accepting all and rejecting all go over every file, of one turn when it is asked for', async () => {
  const bench = await startReview(
    [edit('a.txt', 'b\n', 'B\n'), write('new.txt', 'n\n'), 'Done.', edit('a.txt', 'g\n', 'G\n'), 'Done.'],
    { 'a.txt': ROWS },
  );
  await bench.app.turn('one');
  const { end } = await bench.app.turn('two');
  const second = { sessionId: bench.app.session.id, turnId: end.turnId };
  expect(await bench.pending(second)).toEqual(['modify a.txt 1']);
  expect(await bench.lines('a.txt', second)).toEqual(['-g +G']);
  await bench.reject(null, null, second);
  expect(await bench.app.read('a.txt')).toBe(ROWS.replace('b', 'B'));
  expect(await bench.pending()).toEqual(['modify a.txt 1', 'create new.txt 1']);
  await bench.accept(null);
  expect(await bench.pending()).toEqual([]);
  expect(await bench.app.read('new.txt')).toBe('n\n');
});

test('a created file that is rejected is gone, a deleted one is back, a moved one is at its place', async () => {
  const bench = await startReview(
    [
      patch(
        '*** Add File: sub/n.txt',
        '+new',
        '*** Delete File: d.txt',
        '*** Update File: m.txt',
        '*** Move to: sub/m.txt',
        '@@',
        ' one',
        '-two',
        '+2',
      ),
      'Done.',
      'Oh.',
    ],
    { 'd.txt': 'd\r\n', 'm.txt': 'one\ntwo\n' },
  );
  await bench.app.turn('patch');
  expect(await bench.pending()).toEqual(['delete d.txt 1', 'move sub/m.txt 1', 'create sub/n.txt 1']);
  expect((await bench.review.pending(ALL))[1]).toMatchObject({ movedFrom: 'm.txt' });
  await bench.reject(null);
  expect((await readdir(bench.app.project)).sort()).toEqual(['d.txt', 'm.txt']);
  expect(await bench.app.read('d.txt')).toBe('d\r\n');
  expect(await bench.app.read('m.txt')).toBe('one\ntwo\n');
  expect(await bench.pending()).toEqual([]);
  const sets = bench.app.core.changes.log.list({ limit: 10 });
  expect(sets.find(({ author }) => author.kind === 'agent')?.undoneBy).toBe(sets[0]?.id);
});

test('accepting a created, a deleted and a moved file leaves nothing pending and the files as they are', async () => {
  const bench = await startReview(
    [
      patch(
        '*** Add File: n.txt',
        '+new',
        '*** Delete File: d.txt',
        '*** Update File: m.txt',
        '*** Move to: k.txt',
        '@@',
        '-one',
        '+1',
      ),
      'Done.',
      edit('k.txt', '1', 'I'),
      'Done.',
    ],
    { 'd.txt': 'd\n', 'm.txt': 'one\n' },
  );
  await bench.app.turn('patch');
  for (const path of ['d.txt', 'k.txt', 'n.txt']) await bench.accept(path);
  expect(await bench.pending()).toEqual([]);
  expect((await readdir(bench.app.project)).sort()).toEqual(['k.txt', 'n.txt']);
  await bench.app.turn('again');
  expect(await bench.lines('k.txt')).toEqual(['-1 +I']);
});

test('case-E05: CRLF, a byte order mark and a missing final line break come back to the byte', async () => {
  const text = '\ufeffone\r\ntwo\r\nthree\r\nfour\r\nfive';
  const bench = await startReview(
    [edit('a.txt', 'two\nthree', '2\nthree'), edit('a.txt', 'five', '5\n'), 'Done.'],
    {
      'a.txt': text,
    },
  );
  await bench.app.turn('numbers');
  const [two, five] = await bench.hunks('a.txt');
  await bench.reject('a.txt', [five?.id ?? '']);
  expect((await bench.bytes('a.txt')).toString()).toBe('\ufeffone\r\n2\r\nthree\r\nfour\r\nfive');
  await bench.reject('a.txt', [two?.id ?? '']);
  expect((await bench.bytes('a.txt')).toString()).toBe(text);
});

test('mixed line endings and a legacy encoding stay what they were where lines are taken back', async () => {
  const text = Buffer.from('eins\r\nzwei\nfünf\r\nüber\nende', 'latin1');
  const bench = await startReview([edit('a.txt', 'eins', '1'), edit('a.txt', 'ende', 'schluß'), 'Done.'], {
    'a.txt': text,
  });
  await bench.app.turn('go');
  expect(await bench.pending()).toEqual(['modify a.txt 2']);
  const [first] = await bench.hunks('a.txt');
  await bench.accept('a.txt', [first?.id ?? '']);
  expect(await bench.lines('a.txt')).toEqual(['-ende +schluß']);
  await bench.reject('a.txt');
  expect(await bench.bytes('a.txt')).toEqual(Buffer.from('1\r\nzwei\nfünf\r\nüber\nende', 'latin1'));
});

test('two sessions on one file are told apart, and each hears of its own rejections only', async () => {
  const bench = await startReview(
    [edit('a.txt', 'b\n', 'B\n'), 'Done.', edit('a.txt', 'g\n', 'G\n'), 'Done.', 'Yes.', 'Yes.'],
    {
      'a.txt': ROWS,
    },
  );
  const { core, session } = bench.app;
  const other = bench.app.newSession('agent');
  await bench.app.turn('one');
  core.turns.start({ sessionId: other.id, text: 'two' });
  await core.turns.whenIdle(other.id);
  const filter = { sessionId: other.id, turnId: null };
  expect(await bench.lines('a.txt', filter)).toEqual(['-g +G']);
  await bench.reject(null, null, filter);
  expect(await bench.app.read('a.txt')).toBe(ROWS.replace('b', 'B'));
  core.turns.start({ sessionId: other.id, text: 'heard?' });
  await core.turns.whenIdle(other.id);
  expect(bench.lastMessages()).toContain('rejected 1 of 2 changes');
  await bench.app.turn('and you?');
  expect(bench.lastMessages()).not.toContain('rejected');
  expect(await bench.lines('a.txt', { sessionId: session.id, turnId: null })).toEqual(['-b +B']);
});

test('a decision about something that changed since it was shown is refused and writes nothing', async () => {
  const bench = await startReview([edit('a.txt', 'b\n', 'B\n'), 'Done.'], { 'a.txt': ROWS });
  await bench.app.turn('one');
  const { hunks, currentHash } = await bench.review.pendingFile('a.txt', ALL);
  const now = ROWS.replace('b\n', 'B\nmine\n');
  await writeFile(bench.path('a.txt'), now);
  await expect(bench.reject('a.txt', [hunks[0]?.id ?? ''])).rejects.toMatchObject({ code: 'stale' });
  await expect(
    bench.review.reject({ ...ALL, path: 'a.txt', hunkIds: null, currentHash }),
  ).rejects.toMatchObject({ code: 'stale' });
  expect(await bench.app.read('a.txt')).toBe(now);
  await expect(bench.reject('other.txt')).rejects.toMatchObject({ code: 'not_found' });
});

test('what a person approved one by one does not wait for review', async () => {
  const bench = await startReview(
    [edit('a.txt', 'b\n', 'B\n'), 'Done.'],
    { 'a.txt': ROWS },
    { flag: 'dialog', approve: 'allow_once' },
  );
  await bench.app.turn('one');
  expect(await bench.pending()).toEqual([]);
  await expect(bench.review.pendingFile('a.txt', ALL)).rejects.toMatchObject({ code: 'not_found' });
});

test('an undo of a turn takes its changes out of the review', async () => {
  const bench = await startReview(
    [edit('a.txt', 'b\n', 'B\n'), 'Done.', edit('a.txt', 'g\n', 'G\n'), 'Done.'],
    {
      'a.txt': ROWS,
    },
  );
  const { end } = await bench.app.turn('one');
  await bench.app.turn('two');
  await bench.app.core.changes.undo.undo({
    kind: 'turn',
    sessionId: bench.app.session.id,
    turnId: end.turnId,
  });
  expect(await bench.lines('a.txt')).toEqual(['-g +G']);
});

test('with review after, edits are made unasked and wait; a project can not turn that on', async () => {
  const bench = await startReview(
    [
      edit('a.txt', 'b\n', 'B\n'),
      'Done.',
      write('.lathe/settings.jsonc', '{ "chat.review.mode": "after" }'),
      'Done.',
    ],
    { 'a.txt': ROWS },
    { flag: 'dialog', approve: 'deny' },
  );
  const { core } = bench.app;
  await core.settings.set('chat.review.mode', 'after');
  const first = await bench.app.turn('one');
  expect(first.calls).toMatchObject([{ state: 'success', by: 'policy' }]);
  expect(await bench.lines('a.txt')).toEqual(['-b +B']);
  const second = await bench.app.turn('two');
  expect(second.calls.at(-1)).toMatchObject({ state: 'denied', by: 'user' });
  await core.settings.set('chat.review.mode', null);
  await mkdir(bench.path('.lathe'));
  await writeFile(bench.path('.lathe/settings.jsonc'), '{ "chat.review.mode": "after" }');
  core.settings.reload();
  expect(core.settings.get('chat.review.mode')).toBe('before');
});

test('while a turn runs its changes can be accepted, and rejecting them is refused as busy', async () => {
  const bench = await startReview(
    [edit('a.txt', 'b\n', 'B\n'), calls('run_command', { command: 'sleep 600' }), 'Done.'],
    { 'a.txt': ROWS, 'b.txt': ROWS },
    { flag: 'dialog', approve: 'allow_once' },
  );
  const { core, session } = bench.app;
  await core.settings.set('chat.review.mode', 'after');
  const running = bench.app.event(
    (event) => event.type === 'call.state' && event.state === 'running' && event.callId === 'call_2',
  );
  core.turns.start({ sessionId: session.id, text: 'go' });
  await running;
  expect(await bench.lines('a.txt')).toEqual(['-b +B']);
  await expect(bench.reject('a.txt')).rejects.toMatchObject({ code: 'busy' });
  expect(await bench.app.read('a.txt')).toBe(ROWS.replace('b', 'B'));
  await bench.accept('a.txt');
  await core.turns.stop(session.id);
  await core.turns.whenIdle(session.id);
  expect(await bench.pending()).toEqual([]);
});

test('what a subagent changed belongs to the turn that started it, and its rejection is told there', async () => {
  const isChild = (body: ChatBody): boolean =>
    JSON.stringify(body.messages).includes('You work as a subagent');
  const parent = [calls('task', { goal: 'Large b', agent: 'general' }), 'Done.', 'I see.'];
  let at = 0;
  const bench = await startReview(
    {
      otherwise: (body) => {
        if (!isChild(body)) return parent[at++] ?? 'Done.';
        const step = body.messages.filter(({ role }) => role === 'assistant').length;
        return step === 0 ? edit('a.txt', 'b\n', 'B\n') : calls('attempt_completion', { result: 'done' });
      },
    },
    { 'a.txt': ROWS },
  );
  const { end } = await bench.app.turn('let somebody do it');
  const filter = { sessionId: bench.app.session.id, turnId: end.turnId };
  expect(await bench.lines('a.txt', filter)).toEqual(['-b +B']);
  await bench.reject(null, null, filter);
  expect(await bench.app.read('a.txt')).toBe(ROWS);
  await bench.app.turn('and now?');
  expect(bench.lastMessages()).toContain('rejected the changes in `a.txt`');
});
