import { expect, test } from 'vitest';
import { Settings } from '../../../shared/contract/settings';
import {
  APPEARANCE_ROWS,
  APPROVAL_ROWS,
  EDITOR_ROWS,
  GENERAL_ROWS,
  MODEL_ROWS,
  parseNumber,
  TERMINAL_ROWS,
  type SettingRow,
} from './setting-rows';

const rows = [GENERAL_ROWS, APPEARANCE_ROWS, MODEL_ROWS, APPROVAL_ROWS, EDITOR_ROWS, TERMINAL_ROWS].flat();
const numberRow = (key: string) =>
  rows.find(
    (row): row is Extract<SettingRow, { control: 'number' }> => row.key === key && row.control === 'number',
  );

test('every setting has one row, but for those that have a place of their own or are a table', () => {
  const special = ['chat.model.default', 'chat.notifyWindowOnConfirmation', 'chat.budget.prices'];
  const shown = rows.map((row) => row.key).concat(special as never[]);
  expect(shown.toSorted()).toEqual(Object.keys(Settings.shape).toSorted());
});

test('the limits on the page are those of the contract', () => {
  const defaults = Settings.parse({});
  const numbers = rows.filter((row) => row.control === 'number');
  expect(numbers).not.toEqual([]);
  for (const row of numbers) {
    for (const [value, good] of [
      [row.min, true],
      [row.max, true],
      [row.min - 1, false],
      [row.max + 1, false],
    ] as const) {
      expect(Settings.safeParse({ ...defaults, [row.key]: value }).success, `${row.key} ${value}`).toBe(good);
    }
  }
});

test('choices are values that the contract takes', () => {
  const choices = rows.filter((row) => row.control === 'choice');
  expect(choices).not.toEqual([]);
  for (const row of choices) {
    for (const { value } of row.choices) expect(Settings.safeParse({ [row.key]: value }).success).toBe(true);
  }
});

test('a bad number is refused with the limits and the value that stays', () => {
  const row = numberRow('editor.fontSize');
  if (!row) throw new Error('no row');
  expect(parseNumber('72', row, 13)).toEqual({
    ok: false,
    problem: 'Choose a number from 8 to 32. The last good value, 13, stays in use.',
  });
  expect(parseNumber(' 14.5 ', row, 13)).toEqual({ ok: true, value: 14.5 });
  expect(parseNumber('', row, 13).ok).toBe(false);
  expect(parseNumber('12abc', row, 13).ok).toBe(false);
});
