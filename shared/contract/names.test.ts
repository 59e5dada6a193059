import { expect, test } from 'vitest';
import { contract } from './contract';
import type { Domain } from './define';
import { EVENT_NAMES, REQUEST_NAMES } from './names';

const namesOf = (kind: 'request' | 'event'): string[] =>
  Object.values<Domain>(contract).flatMap((domain) =>
    Object.entries(domain.spec)
      .filter(([, spec]) => spec.kind === kind)
      .map(([name]) => `${domain.name}.${name}`),
  );

test('the preload lets through exactly the channels of the contract', () => {
  expect([...REQUEST_NAMES].sort()).toEqual(namesOf('request').sort());
  expect([...EVENT_NAMES].sort()).toEqual(namesOf('event').sort());
});
