import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test as base, expect, type Page } from '@playwright/test';
import { Chat } from './chat';
import { startHost, type Host } from './host';
import { makeProject } from './sample-project';
import { startScriptedModel, type ScriptedModel } from './scripted-model/scripted-model';

export interface Fixtures {
  /** A model server that plays what the test pushes. */
  model: ScriptedModel;
  /** Real path of a fresh sample project. */
  project: string;
  /** LATHE_HOME of this test. */
  home: string;
  /** The web host on the sample project with the scripted model. */
  host: Host;
  /** The window, loaded and with all its regions. */
  window: Page;
  chat: Chat;
}

/** Waits until the window stands: all landmarks are there and the tree is listed. */
export async function windowReady(page: Page): Promise<void> {
  for (const name of ['Explorer', 'Editor', 'Terminal', 'Chat', 'Status']) {
    await expect(page.getByRole('region', { name, exact: true })).toBeVisible();
  }
  await expect(page.getByRole('treeitem').first()).toBeVisible();
}

/** Resolves once the window has sent the host a message with this text. Call it before the page is opened. */
export function sentFrame(page: Page, text: string): Promise<void> {
  return new Promise((sent) => {
    page.on('websocket', (socket) => {
      socket.on('framesent', ({ payload }) => {
        if (String(payload).includes(text)) sent();
      });
    });
  });
}

export const test = base.extend<Fixtures>({
  model: async ({}, use) => {
    const model = await startScriptedModel();
    await use(model);
    await model.close();
  },
  project: async ({}, use) => {
    const root = await makeProject();
    await use(root);
    await rm(dirname(root), { recursive: true, force: true });
  },
  home: async ({}, use) => {
    const home = await mkdtemp(join(tmpdir(), 'lathe-home-'));
    await use(home);
    await rm(home, { recursive: true, force: true });
  },
  host: async ({ model, project, home }, use) => {
    const host = await startHost({ home, project, modelUrl: model.url });
    await use(host);
    await host.stop();
  },
  window: async ({ host, page }, use) => {
    await page.goto(host.url);
    await windowReady(page);
    await use(page);
  },
  chat: async ({ window }, use) => {
    await use(new Chat(window));
  },
});

export { expect };
