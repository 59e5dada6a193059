import { expect, test } from 'vitest';
import { GIF, heavyPng, JPEG, png, SVG, WEBP } from '../../../e2e/support/pictures';
import { imageMimeOf, imageWords, inspectImage } from '../../../shared/image/inspect-image';

test('kind and pixels are read from the bytes of PNG, JPEG, GIF and WebP', () => {
  const facts = [png(800, 600), JPEG, GIF, WEBP].map((bytes) => inspectImage(bytes));
  expect(facts).toMatchObject([
    { ok: true, mime: 'image/png', width: 800, height: 600 },
    { ok: true, mime: 'image/jpeg', width: 20, height: 10 },
    { ok: true, mime: 'image/gif', width: 3, height: 2 },
    { ok: true, mime: 'image/webp', width: 6, height: 5 },
  ]);
  expect(facts.map((each) => (each.ok ? imageWords(each) : ''))[0]).toBe('PNG, 800×600 pixels');
});

test('fault-F110: nothing, an SVG, text and other bytes are no images, and it says so', () => {
  expect(inspectImage(Buffer.alloc(0))).toMatchObject({ ok: false, why: 'it is empty (0 bytes)' });
  expect(inspectImage(SVG)).toMatchObject({ ok: false, what: 'an SVG image' });
  expect(inspectImage(Buffer.from('not found'))).toMatchObject({ ok: false, what: 'a file' });
  expect(inspectImage(Buffer.from('ftypheic'))).toMatchObject({ ok: false, why: /no PNG/ });
  expect(imageMimeOf(Buffer.from('GIF'))).toBeNull();
});

test('fault-F110: a picture cut anywhere is none, whatever its header promises', () => {
  for (const whole of [png(40, 30), JPEG, GIF, WEBP]) {
    const ends = Array.from({ length: whole.length - 1 }, (_, at) => at + 1);
    const taken = ends.filter((end) => inspectImage(whole.subarray(0, end)).ok);
    // A GIF whose picture is whole may miss its last byte, as many do.
    expect(taken).toEqual(whole === GIF ? [GIF.length - 1] : []);
  }
});

test('fault-F110: damage in headers is found', () => {
  const noPixels = png(1, 1);
  noPixels.writeUInt32BE(0, 16);
  const noHeader = Buffer.from(png(1, 1));
  noHeader.write('XXXX', 12, 'latin1');
  const noFrame = Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.from('ffda000401020000ffd9', 'hex')]);
  for (const bytes of [noPixels, noHeader, noFrame])
    expect(inspectImage(bytes)).toMatchObject({ ok: false, why: 'its data is damaged' });
});

test('limits are said with the number: 5 MB, 8,000 pixels a side', () => {
  const wide = png(8001, 1);
  expect(inspectImage(wide)).toMatchObject({
    ok: false,
    width: 8001,
    why: /8001×1 pixels, and at most 8000/,
  });
  expect(inspectImage(heavyPng(5 * 1024 * 1024))).toMatchObject({
    ok: false,
    why: /5\.0 MB, and at most 5\.0 MB/,
  });
  expect(inspectImage(heavyPng(5 * 1024 * 1024 - 1000)).ok).toBe(true);
});

test('any bytes give an answer', () => {
  const bytes = Buffer.concat([png(20, 20), JPEG, GIF, WEBP]);
  for (let seed = 1; seed < 4000; seed += 1) {
    const copy = Buffer.from(bytes.subarray((seed * 7) % 300));
    copy[(seed * 31) % copy.length] = seed & 0xff;
    expect(typeof inspectImage(copy).ok).toBe('boolean');
  }
});
