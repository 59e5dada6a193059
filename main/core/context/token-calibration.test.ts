import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ModelMessage } from '../model/port';
import { openStore } from '../store/open-store';
import type { Store } from '../store/types';
import { scratchFolder } from '../testing/scratch-folder';
import { TokenCalibration } from './token-calibration';
import { TokenMeter } from './token-meter';
import { estimateRequestTokens, estimateTextTokens } from './tokens';

let dir: string;
let store: Store;
beforeEach(() => {
  dir = scratchFolder('lathe-tokens-');
  store = openStore({ dataDir: dir });
});
afterEach(() => {
  store.close();
  rmSync(dir, { recursive: true, force: true });
});

test('a model’s own count is learnt smoothly, kept for the next start, and belongs to that model alone', () => {
  const calibration = new TokenCalibration(store.state);
  expect(calibration.ratio('a/one')).toBe(1);
  for (let n = 0; n < 12; n += 1) calibration.learn('a/one', 1_300, 1_000);
  calibration.learn('a/one', 900, 1_000);
  expect(calibration.ratio('a/one')).toBeCloseTo(1.2, 1);
  expect(calibration.ratio('a/two')).toBe(1);
  calibration.flush();
  expect(new TokenCalibration(store.state).ratio('a/one')).toBe(calibration.ratio('a/one'));
});

test('counts that can not be the size of the request teach nothing', () => {
  const calibration = new TokenCalibration(store.state);
  calibration.learn('m', 12, 5_000);
  calibration.learn('m', 90_000, 5_000);
  calibration.learn('m', 60, 50);
  expect(calibration.ratio('m')).toBe(1);
});

const user = (content: string): ModelMessage => ({ role: 'user', content });

test('the next request is what the provider counted for the last one and an estimate of what came since', () => {
  const meter = new TokenMeter();
  const [first, second] = [user('x'.repeat(4_000)), user('y'.repeat(400))];
  const added = estimateRequestTokens([second], []);
  const before = { messages: [first], tools: [] };
  const estimate = estimateRequestTokens(before.messages, []);
  expect(meter.measure([first], before.tools, 'm', 1.5)).toBe(Math.ceil(estimate * 1.5));
  meter.note(before, 'm', { inputTokens: 1_400, outputTokens: 1 });
  expect(meter.measure([first], before.tools, 'm', 1.5)).toBe(1_400);
  expect(meter.measure([first, second], before.tools, 'm', 1.5)).toBe(1_400 + Math.ceil(added * 1.5));
  // Another beginning, another model, or no count: an estimate of the whole again.
  expect(meter.measure([second], before.tools, 'm', 1)).toBe(added);
  expect(meter.measure([first], before.tools, 'other', 1)).toBe(estimate);
  meter.note(before, 'm', null);
  expect(meter.measure([first], before.tools, 'm', 1)).toBe(estimate);
});

test('a text’s tokens are told by what it is made of', () => {
  const near = (text: string, tokens: number): void => {
    expect(estimateTextTokens(text) / tokens).toBeGreaterThan(0.75);
    expect(estimateTextTokens(text) / tokens).toBeLessThan(1.25);
  };
  near('The quick brown fox jumps over the lazy dog. '.repeat(10), 101);
  near('const value = readSetting("editor.fontSize", 12);\n'.repeat(10), 130);
  near('{"id":1234567,"ok":true},'.repeat(10), 101);
  near('会话的较早部分会被总结成一段文字。'.repeat(10), 140);
  expect(estimateTextTokens('')).toBe(0);
});
