import { expect, test } from 'vitest';
import { ProviderInfo, type ProviderCheck } from '../../../shared/contract/model';
import { addressProblem, checkedForm, CUSTOM, editForm, formFor, startForm } from './provider-form';

const provider = (id: string, more: Partial<ProviderInfo> = {}) =>
  ProviderInfo.parse({
    id,
    name: id,
    kind: 'preset',
    baseUrl: `https://${id}.example/v1`,
    hasKey: false,
    needsKey: true,
    configured: false,
    reachable: null,
    models: [],
    keyUrl: null,
    ...more,
  });

const answer = (...ids: string[]): ProviderCheck => ({
  ok: true,
  message: 'Answers.',
  hint: null,
  latencyMs: 12,
  models: ids.map((id) => ({ id, contextWindow: null })),
});

test('the form starts with the provider asked for, else a configured one', () => {
  const all = [provider('one'), provider('two', { configured: true })];
  expect(startForm(all, 'one').providerId).toBe('one');
  expect(startForm(all, null)).toMatchObject({
    providerId: 'two',
    baseUrl: 'https://two.example/v1',
    apiKey: '',
  });
  expect(startForm([], null).providerId).toBe(CUSTOM);
});

test('a changed key or address makes the check worthless, a changed model does not', () => {
  const checked = checkedForm(formFor([provider('one')], 'one'), answer('a', 'b'), 'b');
  expect(checked.model).toBe('b');
  expect(editForm(checked, { model: 'a' }).check).not.toBeNull();
  expect(editForm(checked, { apiKey: 'x' }).check).toBeNull();
});

test('a server without a list keeps the model that was typed', () => {
  const form = editForm(formFor([], CUSTOM), { model: 'mine' });
  expect(checkedForm(form, answer(), null).model).toBe('mine');
});

test('addresses that would give a key away are refused', () => {
  expect(addressProblem('http://host.example/v1', true)).toMatch(/https/);
  expect(addressProblem('http://127.0.0.1:11434/v1', true)).toBeNull();
  expect(addressProblem('http://host.example/v1', false)).toBeNull();
  expect(addressProblem('https://key@host.example', true)).toMatch(/own field/);
  expect(addressProblem('ftp://host', false)).toMatch(/start with/);
  expect(addressProblem('', false)).toMatch(/Type the address/);
});
