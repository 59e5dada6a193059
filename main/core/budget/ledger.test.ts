import { expect, test } from 'vitest';
import { NOTHING, SpendingLedger, type Amount, type Limits, type Wish } from './ledger';

const never = new AbortController().signal;

/** One micro and one token per output token, on top of a fixed input. */
const wish = (input: number, change: Partial<Wish> = {}): Wish => ({
  cost: (output) => ({ micros: input + output, tokens: input + output }),
  leastOutput: 10,
  mostOutput: 100,
  spare: NOTHING,
  ...change,
});

const ledger = (limits: Limits, stored: () => Amount = () => NOTHING) =>
  new SpendingLedger({ rootOf: (id) => id.split('/')[0] ?? id, limits: () => limits, stored });

const spend = (micros: number): Amount => ({ micros, tokens: micros });

test('wanted-15: what is reserved can not be spent twice; what does not fit waits for those before it', async () => {
  const budget = ledger({ micros: 250, tokens: null });
  const first = await budget.reserve('root', wish(50), never);
  expect(first.outputTokens).toBe(100);
  let granted = false;
  const waiting = budget.reserve('root/child', wish(50), never).then((hold) => {
    granted = true;
    return hold;
  });
  await Promise.resolve();
  expect(granted).toBe(false);
  first.settle(spend(60));
  const second = await waiting;
  expect(second.outputTokens).toBe(100);
  second.settle(spend(150));
  expect(budget.spent('root')).toEqual(spend(210));
});

test('wanted-15: the last answers get shorter, then the request that could exceed is refused before it goes out', async () => {
  const budget = ledger({ micros: 200, tokens: null });
  budget.book('root', spend(120));
  const hold = await budget.reserve('root', wish(50), never);
  expect(hold.outputTokens).toBe(30);
  hold.settle(spend(80));
  await expect(budget.reserve('root', wish(1, { leastOutput: 10 }), never)).rejects.toMatchObject({
    code: 'budget_exceeded',
    detail: { spentMicros: 200, micros: 200 },
  });
});

test('wanted-15: room for last words is kept free, but not reserved', async () => {
  const budget = ledger({ micros: 200, tokens: null });
  await expect(budget.reserve('root', wish(150, { spare: spend(60) }), never)).rejects.toMatchObject({
    code: 'budget_exceeded',
  });
  const step = await budget.reserve('root', wish(50, { spare: spend(60) }), never);
  expect(step.outputTokens).toBe(90);
  step.settle(spend(140));
  expect((await budget.reserve('root', wish(40), never)).outputTokens).toBe(20);
});

test('a limit of tokens holds without any price, and both limits hold together', async () => {
  const tokens = ledger({ micros: null, tokens: 100 });
  expect((await tokens.reserve('root', wish(20), never)).outputTokens).toBe(80);
  const both = ledger({ micros: 1_000, tokens: 60 });
  expect((await both.reserve('root', wish(20), never)).outputTokens).toBe(40);
});

test('a stopped request waits no longer', async () => {
  const budget = ledger({ micros: 100, tokens: null });
  const hold = await budget.reserve('root', wish(50, { mostOutput: 50 }), never);
  const stop = new AbortController();
  const waiting = budget.reserve('root', wish(50), stop.signal);
  stop.abort(new DOMException('stopped', 'AbortError'));
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  hold.settle(spend(1));
  hold.settle(spend(99));
  expect(budget.spent('root')).toEqual(spend(1));
});

test('what another process stored counts, and what is not stored yet counts too', async () => {
  let stored = spend(90);
  const budget = ledger({ micros: 100, tokens: null }, () => stored);
  await expect(budget.reserve('root', wish(1, { leastOutput: 10 }), never)).rejects.toThrow();
  stored = spend(0);
  expect(budget.spent('root')).toEqual(spend(90));
});

test('wanted-15: 200 requests in random order never exceed what there is', async () => {
  let seed = 7;
  const random = (): number => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
  const budget = ledger({ micros: 3_000, tokens: null });
  let most = 0;
  let refused = 0;
  const one = async (n: number): Promise<void> => {
    const input = Math.ceil(random() * 40);
    try {
      const hold = await budget.reserve(n % 3 === 0 ? 'root' : `root/${n}`, wish(input), never);
      for (let i = 0; i < random() * 5; i += 1) await Promise.resolve();
      hold.settle(spend(input + Math.floor(random() * hold.outputTokens)));
      most = Math.max(most, budget.spent('root').micros);
    } catch {
      refused += 1;
    }
  };
  await Promise.all(Array.from({ length: 200 }, (_, n) => one(n)));
  expect(most).toBeLessThanOrEqual(3_000);
  expect(most).toBeGreaterThan(2_800);
  expect(refused).toBeGreaterThan(0);
});
