import { expect, test } from 'vitest';
import { toDraft, withoutPrice, withPrice } from './price-rows';

const table = { 'a/x': { input: 1, output: 2 } };

test('a price is put in, changed and renamed; what is no price is refused with the reason', () => {
  const draft = { model: 'b/*', input: '0,5', cached: '', output: '4' };
  expect(withPrice(table, null, draft)).toEqual({ table: { ...table, 'b/*': { input: 0.5, output: 4 } } });
  expect(withPrice(table, 'a/x', { ...toDraft('a/x', table['a/x']), model: 'a/y', cached: '0.1' })).toEqual({
    table: { 'a/y': { input: 1, cached: 0.1, output: 2 } },
  });
  expect(withPrice(table, null, { ...draft, model: 'a/x' })).toEqual({ problem: 'a/x has a price already.' });
  for (const bad of [{ input: 'free' }, { input: '' }, { output: '-1' }, { model: ' ' }])
    expect(withPrice(table, null, { ...draft, ...bad })).toHaveProperty('problem');
  expect(withoutPrice(table, 'a/x')).toEqual({});
});
