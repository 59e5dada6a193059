import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from '../support/fixtures';
import { calls, type ChatBody } from '../support/scripted-model/script-reply';

const isChild = (body: ChatBody): boolean => JSON.stringify(body.messages).includes('You work as a subagent');
const PLAN = { title: 'Fix the sum', steps: ['Read add.js', 'Change the sign', 'Run the tests'] };

async function put(root: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

test('A1: agents of the project stand in the picker and after /agent; one that is chosen has its tools only', async ({
  project,
  chat,
  model,
  window,
}) => {
  await put(
    project,
    '.lathe/agents/reviewer.md',
    '---\nname: reviewer\ndescription: finds faults\ntools: read_file, grep\n---\nJudge harshly.\n',
  );
  await chat.region.getByRole('button', { name: 'Mode: Agent' }).click();
  const menu = window.getByRole('menu', { name: 'Mode' });
  await expect(menu).toContainText('Explore');
  await menu.getByRole('menuitemradio', { name: /reviewer/ }).click();
  await expect(chat.region.getByRole('button', { name: 'Agent: reviewer' })).toBeVisible();
  model.push('Fine.');
  await chat.send('Judge it');
  await expect(chat.region).toContainText('Fine.');
  const body = model.requests[0]?.body;
  expect(body?.tools?.map((tool) => tool.function.name)).toEqual(['read_file', 'grep', 'attempt_completion']);
  expect(JSON.stringify(body?.messages)).toContain('Judge harshly.');

  await chat.message.fill('/agent exp');
  await expect(window.getByRole('option', { name: /explore/ })).toBeVisible();
  await window.keyboard.press('Enter');
  await expect(chat.region.getByRole('button', { name: 'Agent: Explore' })).toBeVisible();
  await chat.message.press('Shift+Tab');
  await expect(chat.region.getByRole('button', { name: /^Mode: / })).toBeVisible();
});

test('a plan is shown, edited and built; building goes over to agent mode with the plan as request', async ({
  chat,
  model,
  window,
}) => {
  model.push(calls('create_plan', PLAN), 'The plan stands.');
  await chat.message.fill('/plan');
  await window.keyboard.press('Enter');
  await chat.send('Plan the fix');
  const card = chat.region.getByRole('region', { name: 'Fix the sum' });
  await expect(card).toContainText('Change the sign');
  await expect(card).toContainText('3 steps');
  await chat.idle();

  await card.getByRole('button', { name: 'Edit', exact: true }).click();
  const form = chat.region.getByRole('form', { name: 'Edit plan' });
  await form.getByRole('textbox', { name: 'Title' }).fill('Fix the addition');
  const steps = form.getByRole('textbox', { name: /Steps/ });
  await steps.fill('Read add.js\nChange the sign of b');
  await steps.press('Control+Enter');
  const edited = chat.region.getByRole('region', { name: 'Fix the addition' });
  await expect(edited).toContainText('2 steps, edited by you');

  model.push('Built.');
  await chat.region.getByRole('group', { name: 'Plan' }).getByRole('button', { name: 'Build this' }).click();
  await expect(chat.region).toContainText('Built.');
  await expect(chat.region.getByRole('button', { name: 'Mode: Agent' })).toBeVisible();
  const sent = JSON.stringify(model.requests.at(-1)?.body.messages);
  expect(sent).toContain('2. [ ] Change the sign of b');
});

test('A2: a subagent is shown live in the chat, opened, stopped alone, and stands under its session in the list', async ({
  chat,
  model,
  window,
}) => {
  const answer = ({ body }: { body: ChatBody }) => {
    if (!isChild(body)) return calls('task', { goal: 'Find the sum', agent: 'explore' });
    return { text: 'I am looking around', holdAfterChars: 4 };
  };
  model.push(
    (body) => answer({ body }),
    (body) => answer({ body }),
    'It was stopped, so I stop too.',
  );
  await chat.send('Where is the sum?');
  const card = chat.region.getByRole('group', { name: 'Subagent Explore: Find the sum' });
  await expect(card).toContainText('step 1 of at most 15');
  await card.getByRole('button', { name: 'Open subagent Find the sum' }).click();
  await expect(chat.region).toContainText('Subagent of “Where is the sum?”');
  await expect(chat.region).toContainText('Find the sum');
  await chat.region.getByRole('button', { name: 'Back', exact: true }).click();
  await card.getByRole('button', { name: 'Stop subagent Find the sum' }).click();
  await expect(chat.region).toContainText('It was stopped, so I stop too.');
  await expect(card.getByRole('button', { name: 'Stop subagent Find the sum' })).toBeHidden();

  await window.keyboard.press('Control+Alt+l');
  const list = window.getByRole('list', { name: 'Sessions' });
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await expect(list.getByRole('listitem').nth(0)).toContainText('Where is the sum?');
  await expect(list.getByRole('listitem').nth(1)).toContainText('Find the sum');
  model.release();
});

test('A2: a write of a subagent asks under its name', async ({ chat, model }) => {
  model.push(
    calls('task', { goal: 'Write a note', agent: 'general' }),
    calls('write_file', { path: 'note.txt', content: 'x' }),
    'Written.',
    'Done by a helper.',
  );
  await chat.send('Have a note written');
  await expect(chat.approval).toContainText('General (“Write a note”), step 1');
  await chat.answer('Allow once');
  await expect(chat.region).toContainText('Done by a helper.');
});

test('wanted-15: costs show in the status bar; a budget set beside the context meter stops the next turn', async ({
  home,
  chat,
  model,
  window,
}) => {
  await writeFile(
    join(home, 'settings.jsonc'),
    JSON.stringify({ 'chat.budget.prices': { mock: { input: 1000, output: 1000 } } }),
  );
  const status = window.getByRole('region', { name: 'Status', exact: true });
  model.push('One.', 'Two.');
  await chat.send('first');
  await expect(chat.region).toContainText('One.');
  await expect(status).toContainText('$0.11');
  await chat.idle();

  await chat.region.getByRole('button', { name: /^Context, / }).click();
  const box = window.getByRole('group', { name: 'Context' });
  await expect(box).toContainText('$0.11');
  await box.getByRole('textbox', { name: /Budget/ }).fill('0.12');
  await box.getByRole('button', { name: 'Set', exact: true }).click();
  await expect(box).toContainText('$0.11 of $0.12');
  await window.keyboard.press('Escape');
  await chat.send('second');
  await expect(chat.region).toContainText('Stopped: the budget is used up.');
  expect(model.requests).toHaveLength(1);
});
