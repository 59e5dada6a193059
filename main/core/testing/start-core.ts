import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ApprovalAnswer } from '../../../shared/model/approval';
import type { Mode } from '../../../shared/model/mode';
import type { SessionSummary } from '../../../shared/model/session';
import type { CallView, SessionView } from '../../../shared/model/session-view';
import type { TurnEvent } from '../../../shared/model/turn-event';
import type { ApprovalFlag } from '../approval/types';
import { createCore } from '../compose';
import type { Core } from '../core';
import { bareHostPort } from '../host-port';
import { createFileSecrets } from '../secrets/file-secrets';
import { scratchFolder } from './scratch-folder';

export interface StartCoreOptions {
  files?: Record<string, string>;
  /** Base URL of a scripted model server. */
  modelUrl: string;
  /** Answers every dialog; without it approvals wait. */
  approve?: ApprovalAnswer | ((title: string) => ApprovalAnswer);
  flag?: ApprovalFlag;
  maxSteps?: number;
  /** False: the model is not named as on the command line; the test sets its providers up itself. */
  override?: boolean;
  /** Start on a home that is there already (a restart). */
  home?: string;
  project?: string;
}

export interface FinishedTurn {
  events: TurnEvent[];
  calls: CallView[];
  view: SessionView;
  end: Extract<TurnEvent, { type: 'turn.finished' }>;
}

export interface TestCore {
  core: Core;
  home: string;
  project: string;
  session: SessionSummary;
  /** Runs one turn in the test's session to its end. */
  turn(text: string): Promise<FinishedTurn>;
  read(path: string): Promise<string>;
  /** Resolves with the first event of the session that fits. */
  event(fits: (event: TurnEvent) => boolean): Promise<TurnEvent>;
  newSession(mode: Mode): SessionSummary;
  /** Closes the core and keeps home and project, for a restart. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

async function makeProject(files: Record<string, string>): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'lathe-core-project-')));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

function answerDialogs(core: Core, approve: NonNullable<StartCoreOptions['approve']>): void {
  core.approvals.onChange((pending) => {
    for (const { id, title } of pending) {
      const answer = typeof approve === 'function' ? approve(title) : approve;
      queueMicrotask(() => core.approvals.reply(id, answer, 'user'));
    }
  });
}

/** The real core on a real project, store and model server; everything is removed on dispose. */
export async function startCore(options: StartCoreOptions): Promise<TestCore> {
  const home = options.home ?? scratchFolder('lathe-core-home-');
  const project = options.project ?? (await makeProject(options.files ?? {}));
  const core = await createCore({
    dataDir: home,
    host: bareHostPort(
      'cli',
      createFileSecrets({ path: join(home, 'keys.json'), onNotice: () => undefined }),
    ),
    version: '0.0.0-test',
    assetsDir: join(import.meta.dirname, '../../../assets'),
    ...(options.override === false
      ? {}
      : { modelOverride: { baseUrl: options.modelUrl, model: 'mock', apiKey: 'test' } }),
    ...(options.flag ? { flag: options.flag } : {}),
    ...(options.maxSteps === undefined ? {} : { maxSteps: options.maxSteps }),
  });
  await core.openProject(project);
  if (options.approve !== undefined) answerDialogs(core, options.approve);
  const session = core.sessions.list()[0] ?? core.sessions.create({ mode: 'agent', model: null });
  const close = (): Promise<void> => core.close();
  const event: TestCore['event'] = (fits) =>
    new Promise((resolve) => {
      const stop = core.subscribe(session.id, (each) => {
        if (!fits(each)) return;
        stop();
        resolve(each);
      });
    });
  return {
    core,
    home,
    project,
    session,
    event,
    read: (path) => readFile(join(project, path), 'utf8'),
    newSession: (mode) => core.sessions.create({ mode, model: null }),
    turn: async (text) => {
      const events: TurnEvent[] = [];
      const stop = core.subscribe(session.id, (each) => events.push(each));
      core.turns.start({ sessionId: session.id, text });
      await core.turns.whenIdle(session.id);
      stop();
      const { view } = core.catalog.runtime(session.id);
      const calls = view.items.flatMap((item) => (item.kind === 'step' ? item.calls : []));
      const end = events.findLast((each) => each.type === 'turn.finished');
      if (end?.type !== 'turn.finished') throw new Error('the turn did not finish');
      return { events, calls, view, end };
    },
    close,
    [Symbol.asyncDispose]: async () => {
      await close();
      await rm(home, { recursive: true, force: true });
      await rm(project, { recursive: true, force: true });
    },
  };
}
