import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { calls } from '../../../../../e2e/support/scripted-model/script-reply';
import {
  startScriptedModel,
  type ScriptedModelOptions,
} from '../../../../../e2e/support/scripted-model/scripted-model';
import type { ReviewFilter } from '../../../../../shared/contract/changes';
import { startCore, type StartCoreOptions, type TestCore } from '../../../testing/start-core';

type Script = NonNullable<ScriptedModelOptions['script']>;
export const ALL: ReviewFilter = { sessionId: null, turnId: null };

export const edit = (path: string, old_string: string, new_string: string) =>
  calls('edit_file', { path, old_string, new_string });
export const write = (path: string, content: string) => calls('write_file', { path, content });
export const patch = (...lines: string[]) =>
  calls('apply_patch', { patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });

/** A core whose edits wait for review, on files given as bytes or text. */
export async function startReview(
  script: Script | ScriptedModelOptions,
  files: Record<string, string | Buffer>,
  options: Partial<StartCoreOptions> = {},
) {
  const model = await startScriptedModel(Array.isArray(script) ? { script } : script);
  let app: TestCore = await startCore({ modelUrl: model.url, flag: 'edits', ...options });
  for (const [path, bytes] of Object.entries(files)) await writeFile(join(app.project, path), bytes);
  onTestFinished(async () => {
    await app[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
  });
  const review = () => app.core.changes.review;
  return {
    model,
    get app() {
      return app;
    },
    get review() {
      return review();
    },
    path: (name: string) => join(app.project, name),
    bytes: (name: string) => readFile(join(app.project, name)),
    /** Paths with their hunk counts. */
    pending: async (filter = ALL) =>
      (await review().pending(filter)).map(({ path, change, hunkCount }) => `${change} ${path} ${hunkCount}`),
    hunks: async (path: string, filter = ALL) => (await review().pendingFile(path, filter)).hunks,
    /** Removed and added lines of each hunk. */
    lines: async (path: string, filter = ALL) =>
      (await review().pendingFile(path, filter)).hunks.map(({ hunk }) =>
        hunk.lines
          .filter(({ kind }) => kind !== 'context')
          .map(({ kind, text }) => (kind === 'add' ? '+' : '-') + text)
          .join(' '),
      ),
    accept: (path: string | null, hunkIds: string[] | null = null, filter = ALL) =>
      review().accept({ ...filter, path, hunkIds }),
    reject: (path: string | null, hunkIds: string[] | null = null, filter = ALL) =>
      review().reject({ ...filter, path, hunkIds }),
    restart: async () => {
      const { home, project } = app;
      await app.close();
      app = await startCore({ modelUrl: model.url, flag: 'edits', ...options, home, project });
    },
    /** A save in the editor. */
    save: async (name: string, text: string) => {
      const project = app.core.requireProject();
      const { hash } = await project.files.readBytes(name);
      const { explorer } = await project.desk();
      await explorer.save({ path: name, text, baseHash: hash, overwrite: false });
    },
    lastMessages: () =>
      (model.requests.at(-1)?.body.messages ?? []).map(({ content }) => JSON.stringify(content)).join('\n'),
  };
}
