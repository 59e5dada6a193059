import { expect, test } from '../support/fixtures';

test('a side question is asked with /aside, shown apart, and kept out of the next request', async ({
  chat,
  model,
  window,
}) => {
  model.push('Hello there.', 'Two of them.', 'You are welcome.');
  await chat.send('Hello');
  await expect(chat.region).toContainText('Hello there.');
  await chat.send('/aside how many?');
  const aside = chat.region.getByRole('region', { name: 'Side question' });
  await expect(aside).toContainText('how many?');
  await expect(aside).toContainText('Two of them.');
  await chat.send('Thanks');
  await expect(chat.region).toContainText('You are welcome.');
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).not.toContain('Two of them.');
  await window.reload();
  await expect(aside).toContainText('Two of them.');
});
