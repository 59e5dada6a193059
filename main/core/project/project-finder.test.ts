import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../store/open-store';
import type { Store } from '../store/types';
import { createProjectCatalog, type ProjectCatalog } from '../workspace/project-catalog';
import { ProjectFinder } from './project-finder';
import { plainRemote, readRepositoryFacts } from './repository-facts';

let dir: string;
let store: Store;
let catalog: ProjectCatalog;
let finder: ProjectFinder;
let trusted = true;

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'lathe-finder-')));
  store = openStore({ dataDir: join(dir, 'home') });
  catalog = createProjectCatalog({ store: store.projects, dataDir: join(dir, 'home'), tourSource: dir });
  trusted = true;
  finder = new ProjectFinder({
    ...{ store: store.projects, projects: catalog, isTrusted: () => trusted, delayMs: 3_600_000 },
    reopen: (path) => catalog.open(path),
    onError: (error) => {
      throw error;
    },
  });
});
afterEach(() => {
  finder.close();
  catalog.dispose();
  store.close();
  rmSync(dir, { recursive: true, force: true });
});

const at = (name: string): string => join(dir, name);
const git = (name: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.email=a@b', '-c', 'user.name=n', '-c', 'commit.gpgsign=false', ...args], {
    cwd: at(name),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/** A repository with one commit, opened once, with a session in it. */
async function original(remote = 'https://me:secret@Example.com/team/app.git'): Promise<string> {
  mkdirSync(at('app'));
  git('app', 'init', '-q', '-b', 'main');
  writeFileSync(join(at('app'), 'a.txt'), String(Math.random()));
  git('app', 'add', '.');
  git('app', 'commit', '-q', '-m', 'first');
  if (remote !== '') git('app', 'remote', 'add', 'origin', remote);
  const { id } = await catalog.open(at('app'));
  await finder.look();
  addSession(id, 'told there');
  return id;
}

function addSession(projectId: string, title: string): void {
  const row = { id: crypto.randomUUID(), projectPath: at('app'), mode: 'agent', model: null } as const;
  store.sessions.create({ ...row, projectId, title });
}

const titles = (projectId: string): string[] => store.sessions.list({ projectId }).map(({ title }) => title);

async function open(name: string) {
  const info = await catalog.open(at(name));
  await finder.look();
  return { id: info.id, offers: finder.offers() };
}

test('case-H04: a renamed folder is the same project, which is said and can be taken back', async () => {
  const id = await original();
  renameSync(at('app'), at('renamed'));
  const { offers, ...now } = await open('renamed');
  expect(now.id).toBe(id);
  expect(offers).toEqual([
    { kind: 'moved', otherId: id, name: 'app', path: at('app'), exists: false, sessions: 1 },
  ]);
  await finder.keepSeparate(id);
  const own = catalog.current()?.id ?? '';
  expect(own).not.toBe(id);
  expect([titles(own), titles(id)]).toEqual([[], ['told there']]);
  expect((await open('renamed')).offers).toEqual([]);
});

test('case-H04: after a move to another disk the project is offered, and taken up with its sessions', async () => {
  const id = await original();
  cpSync(at('app'), at('moved'), { recursive: true });
  rmSync(at('app'), { recursive: true });
  const found = await open('moved');
  expect(found.id).not.toBe(id);
  expect(titles(found.id)).toEqual([]);
  expect(found.offers).toEqual([
    { kind: 'repository', otherId: id, name: 'app', path: at('app'), exists: false, sessions: 1 },
  ]);
  addSession(found.id, 'told here');
  await finder.relink(id);
  expect(catalog.current()).toMatchObject({ id, path: at('moved') });
  expect(titles(id).sort()).toEqual(['told here', 'told there']);
  expect((await open('moved')).offers).toEqual([]);
  expect((await catalog.recent()).map(({ path }) => path)).toEqual([at('moved')]);
});

test('case-H04: a clone is offered the project it was cloned from; both folders then share the sessions', async () => {
  const id = await original('');
  git('.', 'clone', '-q', at('app'), at('clone'));
  const found = await open('clone');
  expect(found.offers).toMatchObject([{ kind: 'repository', otherId: id, exists: true, sessions: 1 }]);
  await finder.relink(id);
  expect(catalog.current()).toMatchObject({ id, path: at('clone'), name: 'clone' });
  expect(titles(id)).toEqual(['told there']);
  expect((await open('app')).id).toBe(id);
  const again = await catalog.open(at('clone'));
  expect(again.id).toBe(id);
  expect(again.folderId).not.toBe(id);
});

test('case-H04: a copy and a worktree are offered too; keeping them apart is remembered', async () => {
  const id = await original();
  cpSync(at('app'), at('copy'), { recursive: true });
  git('app', 'worktree', 'add', '-q', at('tree'), '-b', 'side');
  const tree = await open('tree');
  expect(tree.offers).toMatchObject([{ kind: 'worktree', otherId: id, exists: true }]);
  const copy = await open('copy');
  expect(copy.offers).toMatchObject([{ kind: 'repository', otherId: id }]);
  await finder.keepSeparate(id);
  expect(finder.offers()).toEqual([]);
  expect((await open('copy')).offers).toEqual([]);
  expect((await open('tree')).offers).toHaveLength(1);
});

test('another remote, another folder of the repository and an unrelated repository are not offered', async () => {
  await original();
  mkdirSync(join(at('app'), 'packages', 'one'), { recursive: true });
  expect((await open('app/packages/one')).offers).toEqual([]);
  cpSync(at('app'), at('fork'), { recursive: true });
  git('fork', 'remote', 'set-url', 'origin', 'git@example.com:other/app.git');
  expect((await open('fork')).offers).toEqual([]);
  mkdirSync(at('plain'));
  expect((await open('plain')).offers).toEqual([]);
  git('fork', 'remote', 'set-url', 'origin', 'git@example.com:team/app');
  expect((await open('fork')).offers).toHaveLength(1);
});

test('a folder that is not trusted is not looked into, and nothing is taken that is not on offer', async () => {
  const id = await original();
  cpSync(at('app'), at('copy'), { recursive: true });
  trusted = false;
  expect((await open('copy')).offers).toEqual([]);
  await expect(finder.relink(id)).rejects.toMatchObject({ code: 'not_found' });
  expect(store.projects.byPath(at('copy'))?.rootCommit).toBeNull();
});

test('no credentials of a remote are kept, and all ways to write an address are one', async () => {
  await original();
  const facts = await readRepositoryFacts(at('app'), new AbortController().signal);
  expect(facts.remote).toBe('example.com/team/app');
  expect(JSON.stringify(store.projects.byPath(at('app')))).not.toContain('secret');
  for (const address of [
    'git@example.com:team/app.git',
    'ssh://git@example.com/team/app',
    'https://t0ken@EXAMPLE.com/team/app.git/',
  ])
    expect(plainRemote(address)).toBe('example.com/team/app');
  expect(plainRemote('/srv/git/app.git')).toBe('/srv/git/app');
});
