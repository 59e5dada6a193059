import { expect, test } from 'vitest';
import { MAX_IMAGES } from '../../../shared/image/image-limits';
import { attach, dataUrl, type Attachment } from './attachment';

const PNG = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  (char) => char.charCodeAt(0),
);
const file = (name: string, bytes: Uint8Array<ArrayBuffer>) => new File([bytes], name);

test('a picture is attached with its facts and its bytes, whatever its name says', async () => {
  const { attachments, problems } = await attach([], [file('shot.jpg', PNG)]);
  expect(problems).toEqual([]);
  expect(attachments).toMatchObject([
    { name: 'shot.jpg', mime: 'image/png', width: 1, height: 1, bytes: PNG.length },
  ]);
  const [one] = attachments;
  expect(one && dataUrl(one)).toBe(`data:image/png;base64,${btoa(String.fromCharCode(...PNG))}`);
});

test('pictures of the same name are told apart', async () => {
  const first = await attach([], [file('image.png', PNG), file('image.png', PNG)]);
  const more = await attach(first.attachments, [file('image.png', PNG), file('', PNG)]);
  expect([...first.attachments, ...more.attachments].map(({ name }) => name)).toEqual([
    'image.png',
    'image 2.png',
    'image 3.png',
    'image',
  ]);
});

test('fault-F110: what is none, empty, cut, or can’t be read is told by name and reason; the others are attached', async () => {
  const folder = { name: 'src', size: 0, arrayBuffer: () => Promise.reject(new Error('is a folder')) };
  const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>');
  const { attachments, problems } = await attach(
    [],
    [
      file('a.svg', svg),
      file('empty.png', new Uint8Array()),
      file('cut.png', PNG.slice(0, 40)),
      folder,
      file('good.png', PNG),
    ],
  );
  expect(attachments.map(({ name }) => name)).toEqual(['good.png']);
  expect(problems).toEqual([
    'a.svg was not attached: SVG is text, which no model takes as an image.',
    'empty.png was not attached: it is empty (0 bytes).',
    'cut.png was not attached: its data ends too early.',
    'src was not attached: it can’t be read.',
  ]);
});

test('limits of the message are told', async () => {
  const { attachments } = await attach(
    [],
    Array.from({ length: MAX_IMAGES }, () => file('x.png', PNG)),
  );
  expect(attachments).toHaveLength(MAX_IMAGES);
  expect((await attach(attachments, [file('x.png', PNG)])).problems).toEqual([
    'x.png was not attached: a message takes 10 images.',
  ]);
  const heavy: Attachment[] = attachments.slice(0, 1).map((each) => ({ ...each, bytes: 21_000_000 }));
  expect((await attach(heavy, [file('x.png', PNG)])).problems[0]).toMatch(/20 MB of images/);
});
