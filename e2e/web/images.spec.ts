import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { seriousIn } from '../support/axe';
import { Chat } from '../support/chat';
import { expect, test, windowReady, type Fixtures } from '../support/fixtures';
import { startHost, type Host } from '../support/host';
import { heavyPng, png, SVG } from '../support/pictures';
import { calls } from '../support/scripted-model/script-reply';

const BLUE = png(64, 48);
const RED = png(40, 60, [200, 60, 50]);

interface Picked {
  name: string;
  type: string;
  base64: string;
}

const picked = (name: string, bytes: Buffer, type = 'image/png'): Picked => ({
  ...{ name, type },
  base64: bytes.toString('base64'),
});

/** A transfer of the page that holds files, as a paste or a drop brings it. */
const transferOf = (page: Page, files: Picked[]) =>
  page.evaluateHandle((all) => {
    const transfer = new DataTransfer();
    for (const { name, type, base64 } of all) {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      transfer.items.add(new File([bytes], name, { type }));
    }
    return transfer;
  }, files);

async function paste(box: Locator, ...files: Picked[]): Promise<void> {
  const transfer = await transferOf(box.page(), files);
  await box.evaluate((element, clipboardData) => {
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, transfer);
}

const part = (bytes: Buffer, mime = 'image/png') => ({
  type: 'image_url',
  image_url: { url: `data:${mime};base64,${bytes.toString('base64')}` },
});

/** Opens the window where the settings say which models see. */
async function openWith(
  sees: string,
  { home, project, model, page }: Pick<Fixtures, 'home' | 'project' | 'model'> & { page: Page },
): Promise<{ host: Host; chat: Chat }> {
  await writeFile(join(home, 'settings.jsonc'), JSON.stringify({ 'chat.model.sees': sees }));
  const host = await startHost({ home, project, modelUrl: model.url });
  await page.goto(host.url);
  await windowReady(page);
  return { host, chat: new Chat(page) };
}

test('a pasted image shows over the text, opens, goes away, is sent and stays in the transcript over a restart', async ({
  chat,
  model,
  window,
  host,
  home,
  project,
}) => {
  model.push('A blue one.', 'Still blue.');
  const attached = chat.region.getByRole('list', { name: 'Attached images' });
  await chat.message.fill('What is this?');
  await paste(chat.message, picked('image.png', BLUE), picked('image.png', RED));
  await expect(attached.getByRole('listitem')).toHaveCount(2);
  expect(await seriousIn(window)).toEqual([]);
  await attached.getByRole('button', { name: 'Open image 2.png, PNG, 40×60 pixels' }).click();
  const dialog = window.getByRole('dialog', { name: 'image 2.png' });
  await expect(dialog.getByRole('img', { name: 'image 2.png' })).toBeVisible();
  expect(await seriousIn(window)).toEqual([]);
  await window.keyboard.press('Escape');
  await attached.getByRole('button', { name: 'Remove image 2.png' }).click();
  await expect(attached.getByRole('listitem')).toHaveCount(1);
  await expect(chat.message).toBeFocused();
  await window.keyboard.press('Enter');
  await expect(chat.region).toContainText('A blue one.');
  await expect(attached).toBeHidden();
  expect(model.requests[0]?.body.messages.at(-1)?.content).toEqual([
    { type: 'text', text: expect.stringMatching(/^What is this\?/) as unknown },
    part(BLUE),
  ]);
  const thumb = chat.region.getByRole('button', { name: 'Open image.png, PNG, 64×48 pixels' });
  await expect(thumb.locator('img')).toBeVisible();
  await chat.idle();
  await host.stop();
  const again = await startHost({ home, project, modelUrl: model.url });
  await window.goto(again.url);
  await windowReady(window);
  await thumb.click();
  const large = window.getByRole('dialog', { name: 'image.png' }).getByRole('img');
  await expect(large).toBeVisible();
  expect(await large.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(64);
  await window.getByRole('dialog', { name: 'image.png' }).getByRole('button', { name: 'Close' }).click();
  await expect(thumb).toBeFocused();
  await new Chat(window).send('and now?');
  await expect(chat.region).toContainText('Still blue.');
  expect(model.requests[1]?.body.messages[1]).toEqual(model.requests[0]?.body.messages.at(-1));
  await again.stop();
});

test('images are dropped on the chat or picked; one alone is a message; bad files are told by name', async ({
  chat,
  model,
  window,
}) => {
  model.push('Two.');
  const transfer = await transferOf(window, [
    picked('a.png', BLUE),
    picked('drawing.svg', SVG, 'image/svg+xml'),
    picked('cut.png', BLUE.subarray(0, 50)),
    picked('big.png', heavyPng(5 * 1024 * 1024)),
  ]);
  await chat.region.locator('.ch').dispatchEvent('dragenter', { dataTransfer: transfer });
  await expect(chat.region).toContainText('Drop images to attach them');
  await chat.region.locator('.ch').dispatchEvent('drop', { dataTransfer: transfer });
  await expect(chat.region).not.toContainText('Drop images to attach them');
  // Beside the chat nothing is taken, and the window stays.
  const stays = await window
    .getByRole('region', { name: 'Editor', exact: true })
    .evaluate((editor, dataTransfer) => {
      const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      return !editor.dispatchEvent(drop);
    }, transfer);
  expect(stays).toBe(true);
  const problems = chat.region.getByRole('alert');
  await expect(problems).toContainText('drawing.svg was not attached: SVG is text');
  await expect(problems).toContainText('cut.png was not attached: its data ends too early');
  await expect(problems).toContainText(/big\.png was not attached: it has 5\.0 MB, and at most 5\.0 MB/);
  const [chooser] = await Promise.all([
    window.waitForEvent('filechooser'),
    chat.region.getByRole('button', { name: 'Attach images' }).click(),
  ]);
  await chooser.setFiles({ name: 'b.png', mimeType: 'image/png', buffer: RED });
  await expect(chat.region.getByRole('list', { name: 'Attached images' }).getByRole('listitem')).toHaveCount(
    2,
  );
  await expect(problems).toBeHidden();
  await chat.region.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(chat.region).toContainText('Two.');
  const content = model.requests[0]?.body.messages.at(-1)?.content as unknown[];
  expect(content.slice(-2)).toEqual([part(BLUE), part(RED)]);
});

/** Waits until the window's own storage has a picture of this name. */
const keptByWindow = (page: Page, name: string): Promise<void> =>
  expect
    .poll(() =>
      page.evaluate(
        () =>
          new Promise<string>((resolve) => {
            const request = indexedDB.open('lathe-drafts', 1);
            request.onsuccess = () => {
              const all = request.result.transaction('images').objectStore('images').getAll();
              all.onsuccess = () => resolve(JSON.stringify(all.result));
            };
          }),
      ),
    )
    .toContain(name);

test('images stay with the box of their session, over a reload too, and come back when the message is refused', async ({
  chat,
  model,
  host,
  window,
}) => {
  model.push('One.');
  await chat.send('first');
  await expect(chat.region).toContainText('One.');
  await chat.idle();
  const attached = chat.region.getByRole('list', { name: 'Attached images' });
  await paste(chat.message, picked('kept.png', BLUE));
  await expect(attached).toBeVisible();
  await chat.newSession();
  await expect(attached).toBeHidden();
  await chat.region.getByRole('tab').first().click();
  await expect(attached.getByRole('button', { name: 'Remove kept.png' })).toBeVisible();
  await keptByWindow(window, 'kept.png');
  await window.reload();
  await expect(attached.getByRole('button', { name: 'Remove kept.png' })).toBeVisible();
  await host.kill();
  await chat.message.fill('lost on the way');
  await window.keyboard.press('Enter');
  await expect(chat.region).toContainText('The message was not sent');
  await expect(attached.getByRole('button', { name: 'Remove kept.png' })).toBeVisible();
});

test('a model that does not see: the box says so before sending, and a line of text stands in the request', async ({
  home,
  project,
  model,
  page,
}) => {
  const { host, chat } = await openWith('!mock', { home, project, model, page });
  model.push('I can’t see it.');
  await paste(chat.message, picked('a.png', BLUE));
  await expect(chat.region).toContainText('This model does not see images.');
  await chat.send('look');
  await expect(chat.region).toContainText('I can’t see it.');
  expect(JSON.stringify(model.requests[0]?.body.messages.at(-1)?.content)).toMatch(
    /^"look.*an image \(PNG, 64×48 pixels\).*does not see images/,
  );
  await host.stop();
});

test('read_file shows an image to a model that sees, and on its card', async ({
  home,
  project,
  model,
  page,
}) => {
  await writeFile(join(project, 'shot.png'), BLUE);
  const { host, chat } = await openWith('mock', { home, project, model, page });
  model.push(calls('read_file', { path: 'shot.png' }), 'It is blue.');
  await chat.send('Look at shot.png');
  await expect(chat.region).toContainText('It is blue.');
  const messages = model.requests[1]?.body.messages ?? [];
  expect(messages.slice(-2)).toMatchObject([
    { role: 'tool', content: expect.stringContaining('It follows as an image.') as unknown },
    { role: 'user', content: [{ type: 'text' }, part(BLUE)] },
  ]);
  const thumb = chat.region.getByRole('button', { name: 'Open shot.png, PNG, 64×48 pixels' });
  await thumb.click();
  await expect(page.getByRole('dialog', { name: 'shot.png' }).getByRole('img')).toBeVisible();
  await host.stop();
});

test('fault-F110: a damaged image in the project is described, and the turns after it go on', async ({
  home,
  project,
  model,
  page,
}) => {
  await writeFile(join(project, 'cut.png'), BLUE.subarray(0, 60));
  const { host, chat } = await openWith('mock', { home, project, model, page });
  model.push(calls('read_file', { path: 'cut.png' }), 'It is damaged.', 'Fine.');
  await chat.send('Look at cut.png');
  await expect(chat.region).toContainText('It is damaged.');
  await chat.idle();
  await chat.send('go on');
  await expect(chat.region).toContainText('Fine.');
  expect(JSON.stringify(model.requests[1]?.body.messages.at(-1))).toContain(
    "can't be shown: its data ends too early",
  );
  expect(JSON.stringify(model.requests[2]?.body.messages)).not.toContain('image_url');
  await host.stop();
});

test('a server refuses images: the turn goes on without, a notice says so, and the box knows it from then on', async ({
  chat,
  model,
  window,
}) => {
  const message =
    'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj';
  model.push({ status: 500, body: { error: { code: 500, message, type: 'server_error' } } }, 'Without it.');
  await paste(chat.message, picked('a.png', BLUE));
  await expect(chat.region).not.toContainText('does not see images');
  await chat.send('look');
  await expect(chat.region).toContainText('Without it.');
  await expect(chat.region).toContainText(/mock does not take images at .*: they were left out/);
  expect(model.requests).toHaveLength(2);
  expect(JSON.stringify(model.requests[1]?.body.messages.at(-1))).toMatch(/an image \(PNG, 64×48 pixels\)/);
  await chat.idle();
  await expect(window.getByRole('button', { name: 'Open a.png, PNG, 64×48 pixels' })).toBeVisible();
  await paste(chat.message, picked('b.png', RED));
  await expect(chat.region).toContainText('This model does not see images.');
});

test('an image that waits in the queue is sent with its message; going back to a message brings its images back', async ({
  chat,
  model,
  window,
}) => {
  model.push({ text: 'This takes a while.', holdAfterChars: 8 }, 'I see it.');
  await chat.send('begin');
  await expect(chat.region).toContainText('This ta');
  await paste(chat.message, picked('later.png', RED));
  await chat.message.fill('then this');
  await window.keyboard.press('Alt+Enter');
  await expect(chat.region.getByRole('group', { name: 'Queued messages' })).toContainText('1 image');
  await expect(chat.region.getByRole('list', { name: 'Attached images' })).toBeHidden();
  model.release();
  await expect(chat.region).toContainText('I see it.');
  expect(model.requests[1]?.body.messages.at(-1)?.content).toMatchObject([{ type: 'text' }, part(RED)]);
  await chat.idle();
  await chat.region.getByRole('button', { name: 'Restore to here…' }).last().press('Enter');
  await window.getByRole('dialog').getByRole('radio', { name: 'Chat only' }).check();
  await window.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await expect(chat.message).toHaveValue('then this');
  await expect(chat.region.getByRole('button', { name: 'Remove later.png' })).toBeVisible();
});
