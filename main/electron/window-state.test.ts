import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readWindowState, saveWindowState } from './window-state';

const SCREEN = { x: 0, y: 25, width: 1920, height: 1055 };
const SECOND = { x: 1920, y: 0, width: 1280, height: 1024 };
const file = () => path.join(mkdtempSync(path.join(tmpdir(), 'lathe-window-')), 'window.json');

test('the window opens where it was left, also on a second display', () => {
  const state = file();
  const bounds = { x: 2000, y: 40, width: 1000, height: 800 };
  saveWindowState(state, { bounds, maximised: true });
  expect(readWindowState(state, [SCREEN, SECOND])).toEqual({ bounds, maximised: true });
});

test('a place on a display that is gone is forgotten, its size is not trusted', () => {
  const state = file();
  saveWindowState(state, { bounds: { x: 2000, y: 40, width: 1000, height: 800 }, maximised: true });
  expect(readWindowState(state, [SCREEN])).toEqual({ bounds: { width: 1440, height: 900 }, maximised: true });
  saveWindowState(state, { bounds: { x: 0, y: 25, width: 99_999, height: 10 }, maximised: false });
  expect(readWindowState(state, [SCREEN]).bounds).toEqual({ x: 0, y: 25, width: 1920, height: 480 });
});

test.each(['', '{', '{"bounds":{"x":1}}', 'null', '[]'])(
  'a file that holds %j is as good as none',
  (text) => {
    const state = file();
    writeFileSync(state, text);
    const small = { x: 0, y: 0, width: 1024, height: 700 };
    expect(readWindowState(state, [small])).toEqual({
      bounds: { width: 1024, height: 700 },
      maximised: false,
    });
  },
);
