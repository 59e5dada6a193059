import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Chat } from '../support/chat';
import { expect, test, windowReady } from '../support/fixtures';
import { startHost } from '../support/host';
import { calls } from '../support/scripted-model/script-reply';

test('killed with SIGKILL in mid-turn, the session comes back, says so, and goes on', async ({
  page,
  model,
  project,
  home,
}) => {
  model.push(
    calls('read_file', { path: 'src/add.js' }, 'I read it first.'),
    { text: 'Now I write a long answer that is cut by a crash', holdAfterChars: 22 },
    'Back again.',
  );
  const first = await startHost({ home, project, modelUrl: model.url });
  await page.goto(first.url);
  await windowReady(page);
  const chat = new Chat(page);
  await chat.send('Explain add');
  await expect(chat.region).toContainText('Now I write a long');
  await first.kill();

  const second = await startHost({ home, project, modelUrl: model.url });
  try {
    await page.goto(second.url);
    await windowReady(page);
    await expect(chat.region).toContainText('Explain add');
    await expect(chat.region).toContainText('I read it first.');
    await expect(chat.region).toContainText('Lathe was closed while this turn ran');
    await chat.send('Go on');
    await expect(chat.region).toContainText('Back again.');
    const roles = model.requests.at(-1)?.body.messages.map(({ role }) => role);
    expect(roles?.slice(0, 4)).toEqual(['system', 'user', 'assistant', 'tool']);
  } finally {
    await second.stop();
  }
});

test('a command that takes the host down with it is told as "effect unknown" and never run again', async ({
  page,
  model,
  project,
  home,
}) => {
  model.push(calls('run_command', { command: 'node kill.mjs' }), 'I look at what happened.');
  const first = await startHost({ home, project, modelUrl: model.url });
  await writeFile(
    join(project, 'kill.mjs'),
    `import { appendFileSync } from 'node:fs';\nappendFileSync('runs.txt', 'x');\nprocess.kill(${first.process.pid}, 'SIGKILL');\n`,
  );
  await page.goto(first.url);
  await windowReady(page);
  const chat = new Chat(page);
  await chat.send('Run it');
  await chat.answer('Allow once');
  await expect.poll(() => first.process.signalCode).toBe('SIGKILL');

  const second = await startHost({ home, project, modelUrl: model.url });
  try {
    await page.goto(second.url);
    await windowReady(page);
    await expect(chat.region).toContainText('Lathe was closed while this turn ran');
    await chat.send('Go on');
    await expect(chat.region).toContainText('I look at what happened.');
    const result = model.requests.at(-1)?.body.messages.find(({ role }) => role === 'tool');
    expect(result?.content).toMatch(/effect is unknown/);
    expect(await readFile(join(project, 'runs.txt'), 'utf8')).toBe('x');
  } finally {
    await second.stop();
  }
});
