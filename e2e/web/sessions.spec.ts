import { expect, test } from '../support/fixtures';

test('sessions are listed newest first, renamed, found by title and deleted', async ({
  window,
  chat,
  model,
}) => {
  model.push('About tabs.', 'About spaces.');
  await chat.send('Tell me about tabs');
  await expect(chat.region).toContainText('About tabs.');
  await chat.idle();
  await chat.newSession();
  await expect(chat.region).toContainText('No messages yet');
  await chat.send('Tell me about spaces');
  await expect(chat.region).toContainText('About spaces.');
  await chat.idle();

  const explorer = window.getByRole('region', { name: 'Explorer', exact: true });
  const side = window.locator('#side-bar');
  await side
    .getByRole('button', { name: /^Sessions/ })
    .or(side.getByRole('tab', { name: /^Sessions/ }))
    .first()
    .click();
  const rows = side.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText('Tell me about spaces');

  await rows.first().getByRole('button').first().focus();
  await window.keyboard.press('F2');
  const title = side.getByRole('textbox', { name: 'Session title' });
  await title.fill('Spaces, renamed');
  await title.press('Enter');
  await expect(rows.first()).toContainText('Spaces, renamed');

  await side.getByRole('textbox', { name: 'Search sessions' }).fill('tabs');
  await expect(rows).toHaveCount(1);
  await rows.first().getByRole('button').first().focus();
  await window.keyboard.press('Delete');
  const confirm = window.getByRole('dialog', { name: /Delete this session/ });
  await confirm.getByRole('button', { name: /^Delete/ }).click();
  await expect(rows).toHaveCount(0);
  await side.getByRole('textbox', { name: 'Search sessions' }).fill('');
  await expect(rows).toHaveCount(1);
  await expect(explorer).toBeHidden();
});

test('two sessions run side by side, each in its own tab', async ({ chat, model }) => {
  model.push(
    { text: 'The first one takes its time and is held back here', holdAfterChars: 12 },
    'The second is quick.',
  );
  await chat.send('First');
  await expect(chat.region).toContainText('The first');
  await chat.newSession();
  await chat.send('Second');
  await expect(chat.region).toContainText('The second is quick.');
  const tabs = chat.region.getByRole('tablist', { name: 'Sessions' }).getByRole('tab');
  await expect(tabs).toHaveCount(2);
  await tabs.filter({ hasText: 'First' }).click();
  await expect(chat.stop).toBeVisible();
  model.release();
  await expect(chat.region).toContainText('held back here');
  await chat.idle();
});
