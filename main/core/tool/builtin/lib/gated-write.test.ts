import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openWorkspaceFiles, sha256 } from '../../../workspace/workspace-files';
import { GatedWrite } from './gated-write';

const hash = (text: string): string => sha256(Buffer.from(text));

async function start(name: string) {
  const root = await mkdtemp(path.join(tmpdir(), 'gated-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await writeFile(path.join(root, 'a'), 'one');
  const files = await openWorkspaceFiles(root);
  const target = await files.resolve(name);
  const expectedHash = target.exists ? hash('one') : null;
  const write = new GatedWrite(target, Buffer.from('two'), { expectedHash }, { files });
  const read = (): Promise<string> => readFile(path.join(root, 'a'), 'utf8');
  return { root, write, read, entries: () => readdir(root) };
}

test('a write that has begun replaces nothing before it is finished', async () => {
  const { write, read, entries } = await start('a');
  await write.begin();
  expect(await entries()).toHaveLength(2);
  expect(await read()).toBe('one');
  expect(await write.finish()).toMatchObject({ hash: hash('two') });
  expect(await read()).toBe('two');
  write.abandon();
  expect(await entries()).toEqual(['a']);
});

test('a write that is abandoned leaves the old bytes and nothing beside them', async () => {
  const { write, read, entries } = await start('a');
  await write.begin();
  expect(await entries()).toHaveLength(2);
  write.abandon();
  await expect.poll(entries).toEqual(['a']);
  expect(await read()).toBe('one');
});

test('case-E20: a file that changes after the write has begun is not overwritten', async () => {
  const { root, write, read, entries } = await start('a');
  await write.begin();
  expect(await entries()).toHaveLength(2);
  await writeFile(path.join(root, 'a'), 'other');
  await expect(write.finish()).rejects.toMatchObject({ code: 'stale' });
  expect(await read()).toBe('other');
  expect(await entries()).toEqual(['a']);
});

test('a new file leaves no trace before it is made', async () => {
  const { root, write, entries } = await start('sub/b');
  await write.begin();
  expect(await entries()).toEqual(['a']);
  await write.finish();
  expect(await readFile(path.join(root, 'sub/b'), 'utf8')).toBe('two');
});
