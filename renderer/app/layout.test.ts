import { expect, test } from 'vitest';
import { arrange, DEFAULT_LAYOUT, type Layout, maxSize } from './layout';

const closed = { side: false, chat: false };

test('all panes stand beside the editor from 1280 pixels up', () => {
  for (const [width, side, chat] of [
    [1280, 216, 384],
    [1440, 240, 420],
    [1920, 280, 520],
  ] as const) {
    const at = arrange(DEFAULT_LAYOUT, closed, { width, height: 900 });
    expect(at.side).toEqual({ place: 'column', size: side });
    expect(at.chat).toEqual({ place: 'column', size: chat });
    expect(at.panel.place).toBe('column');
  }
});

test('the side bar becomes a drawer under 1280 and the chat under 1024 pixels', () => {
  const medium = arrange(DEFAULT_LAYOUT, closed, { width: 1024, height: 700 });
  expect([medium.side.place, medium.chat.place, medium.chat.size]).toEqual(['hidden', 'column', 368]);
  const small = arrange(DEFAULT_LAYOUT, { side: true, chat: true }, { width: 720, height: 480 });
  expect([small.side.place, small.chat.place, small.chat.size]).toEqual(['drawer', 'drawer', 420]);
  expect(arrange(DEFAULT_LAYOUT, { side: false, chat: true }, { width: 380, height: 480 }).chat.size).toBe(
    380,
  );
});

test('a chosen size wins until the editor would get narrower than 400 pixels', () => {
  const wide: Layout = {
    ...DEFAULT_LAYOUT,
    chat: { visible: true, size: 700 },
    side: { visible: true, size: 300 },
  };
  expect(arrange(wide, closed, { width: 1440, height: 900 }).chat.size).toBe(700);
  const tight = arrange(wide, closed, { width: 1280, height: 900 });
  expect([tight.side.size, tight.chat.size]).toEqual([300, 580]);
  expect(1280 - tight.side.size - tight.chat.size).toBe(400);
});

test('sizes out of range are brought back into it', () => {
  const odd: Layout = {
    ...DEFAULT_LAYOUT,
    side: { visible: true, size: 4 },
    panel: { visible: true, size: 5000 },
  };
  const at = arrange(odd, closed, { width: 1440, height: 900 });
  expect([at.side.size, at.panel.size]).toEqual([180, 645]);
});

test('a sash stops where the editor would get too small', () => {
  const view = { width: 1280, height: 900 };
  const at = arrange(DEFAULT_LAYOUT, closed, view);
  expect(maxSize('chat', at, view)).toBe(664);
  expect(maxSize('side', at, view)).toBe(480);
  expect(maxSize('panel', at, view)).toBe(645);
});
