import { chmod, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import {
  CallAddress,
  EntryState,
  PathChange,
  type ChangeAuthor,
  type ChangeSet,
} from '../../../../../shared/model/change';
import type { CallId, MessageId, SessionId, TurnId } from '../../../../../shared/model/ids';
import type { Core } from '../../../core';
import { startCore, type TestCore } from '../../../testing/start-core';
import { same, type Held } from '../held';
import { lookAt } from '../look';

/** What an actor does to one path: new text or bytes, null to delete it, a mode, a link, a folder, or a move away. */
export type Deed =
  | string
  | Buffer
  | null
  | { mode: number }
  | { link: string }
  | { folder: true }
  | { moveTo: string; text?: string };

export type Actor = { turn: Turn; command?: string } | 'user' | 'outside';

export interface Turn {
  sessionId: SessionId;
  turnId: TurnId;
  messageId: MessageId;
}

/** A real core on a real folder, whose log is fed with deeds that are really done. */
export interface UndoDesk {
  readonly app: TestCore;
  readonly core: Core;
  readonly root: string;
  begin(text?: string, sessionId?: SessionId): Turn;
  /** Does it on the disk and records it as the recorder would. `unrecorded`: nobody noticed. */
  act(
    actor: Actor,
    deeds: Record<string, Deed>,
    options?: { unrecorded?: boolean },
  ): Promise<ChangeSet | null>;
  look(path: string): Promise<Held | null>;
  text(path: string): Promise<string | null>;
}

async function doDeed(root: string, path: string, deed: Deed): Promise<void> {
  const target = join(root, path);
  await mkdir(dirname(target), { recursive: true });
  if (deed === null) return await rm(target, { recursive: true });
  if (typeof deed === 'string' || Buffer.isBuffer(deed)) return await writeFile(target, deed);
  if ('mode' in deed) return await chmod(target, deed.mode);
  if ('folder' in deed) return void (await mkdir(target));
  if ('link' in deed) {
    await rm(target, { force: true });
    return await symlink(deed.link, target);
  }
  const there = join(root, deed.moveTo);
  await mkdir(dirname(there), { recursive: true });
  await rename(target, there);
  if (deed.text !== undefined) await writeFile(there, deed.text);
}

const targetsOf = (deeds: Record<string, Deed>): string[] =>
  Object.entries(deeds).flatMap(([path, deed]) =>
    deed !== null && typeof deed === 'object' && 'moveTo' in deed ? [path, deed.moveTo] : [path],
  );

function authorOf(actor: Actor): ChangeAuthor {
  if (actor === 'user' || actor === 'outside') return { kind: actor };
  const { sessionId, turnId } = actor.turn;
  const address = CallAddress.parse({ sessionId, turnId, callId: randomUUID() });
  return actor.command === undefined
    ? { kind: 'agent', ...address }
    : { kind: 'command', ...address, command: actor.command };
}

export async function openUndoDesk(
  options: Partial<Parameters<typeof startCore>[0]> = {},
): Promise<UndoDesk> {
  // Nothing here asks a model.
  const app = await startCore({ modelUrl: 'http://127.0.0.1:9', ...options });
  const { core, project: root } = app;
  const look: UndoDesk['look'] = async (path) => {
    const now = await lookAt(core.requireProject().files, path);
    return 'held' in now ? now.held : null;
  };
  const stateOf = async (held: Held | null): Promise<EntryState | null> => {
    if (held === null) return null;
    const { kind, bytes, hash, mode } = held;
    const isKept = await core.changes.blobs.keep(bytes, hash, { lazy: true });
    return EntryState.parse({ kind, hash, mode, sizeBytes: bytes.length, isKept });
  };
  const act: UndoDesk['act'] = async (actor, deeds, { unrecorded = false } = {}) => {
    const paths = targetsOf(deeds);
    const before = new Map(await Promise.all(paths.map(async (path) => [path, await look(path)] as const)));
    for (const [path, deed] of Object.entries(deeds)) await doDeed(root, path, deed);
    if (unrecorded) return null;
    const movedFrom = new Map(
      Object.entries(deeds).flatMap(([path, deed]) =>
        deed !== null && typeof deed === 'object' && 'moveTo' in deed ? [[deed.moveTo, path] as const] : [],
      ),
    );
    const changes: PathChange[] = [];
    for (const path of paths) {
      const [was, is] = [before.get(path) ?? null, await look(path)];
      if (same(was, is)) continue;
      const sides = { before: await stateOf(was), after: await stateOf(is) };
      changes.push(PathChange.parse({ path, movedFrom: movedFrom.get(path) ?? null, ...sides }));
    }
    if (changes.length === 0) return null;
    return core.changes.log.record({
      author: authorOf(actor),
      label: `Changed ${paths.join(', ')}`,
      changes,
    });
  };
  return {
    ...{ app, core, root, look, act },
    begin: (text = 'do it', sessionId = app.session.id) => beginTurn(core, sessionId, text),
    text: async (path) => (await look(path))?.bytes.toString() ?? null,
  };
}

/** A turn that is over: what it did is acted out afterwards. */
function beginTurn(core: Core, sessionId: SessionId, text: string): Turn {
  const runtime = core.catalog.runtime(sessionId);
  const message = runtime.history.append({ role: 'user', content: text });
  const [turnId, messageId] = [randomUUID() as TurnId, message.id as MessageId];
  runtime.log.append(
    turnId,
    [
      { type: 'turn.started', messageId, text, mode: 'agent', agent: 'Agent', kind: 'message' },
      { type: 'turn.finished', reason: 'done', steps: 1, text: '', durationMs: 1 },
    ],
    [message],
  );
  return { sessionId, turnId, messageId };
}

export const undoTurn = ({ core }: UndoDesk, { sessionId, turnId }: Turn) =>
  core.changes.undo.undo({ kind: 'turn', sessionId, turnId });

export const callOf = (set: ChangeSet | null): CallId => {
  if (set === null || !('callId' in set.author)) throw new Error('no call made this');
  return set.author.callId;
};
