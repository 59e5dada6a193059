import { AppError } from '../../../shared/error';
import { MICROS } from '../../../shared/model/budget';

/** Money in millionths of a dollar and tokens in and out. */
export interface Amount {
  micros: number;
  tokens: number;
}

/** What a session and its subagents may spend; null: as much as they like. */
export interface Limits {
  micros: number | null;
  tokens: number | null;
}

/** How much a request needs, by the length of its answer. */
export interface Wish {
  /** Cost of an answer of this many tokens, input included. */
  cost(outputTokens: number): Amount;
  /** The answer is of no use below this. */
  leastOutput: number;
  mostOutput: number;
  /** Room that has to be left for last words after this request. */
  spare: Amount;
}

/** A request's share of the budget until its real cost is known. */
export interface Hold {
  /** Tokens that the answer may have. */
  outputTokens: number;
  /** Books the real cost in place of the reserved one. Further calls do nothing. */
  settle(actual: Amount): void;
}

export interface LedgerOptions {
  /** The session that others are counted with: a subagent's parent, else itself. */
  rootOf(sessionId: string): string;
  limits(rootId: string): Limits;
  /** What is stored of a root and its subagents together. */
  stored(rootId: string): Amount;
}

interface Family {
  spent: Amount;
  reserved: Amount;
  holds: number;
  waiting: Set<() => void>;
}

export const NOTHING: Amount = { micros: 0, tokens: 0 };

export const plus = (a: Amount, b: Amount): Amount => ({
  micros: a.micros + b.micros,
  tokens: a.tokens + b.tokens,
});
const minus = (a: Amount, b: Amount): Amount => ({
  micros: a.micros - b.micros,
  tokens: a.tokens - b.tokens,
});
const larger = (a: Amount, b: Amount): Amount => ({
  micros: Math.max(a.micros, b.micros),
  tokens: Math.max(a.tokens, b.tokens),
});

const within = (amount: Amount, { micros, tokens }: Limits): boolean =>
  (micros === null || amount.micros <= micros) && (tokens === null || amount.tokens <= tokens);

/**
 * Keeps a session and its subagents within one budget: each request reserves what it may cost at most before it goes out
 * and books what it did cost afterwards. Requests at the same time can't spend the same money: what does not fit waits for
 * those before it, and is refused when there is nothing to wait for.
 */
export class SpendingLedger {
  private readonly families = new Map<string, Family>();

  constructor(private readonly options: LedgerOptions) {}

  limits(sessionId: string): Limits {
    return this.options.limits(this.options.rootOf(sessionId));
  }

  /** What a session's family has spent so far. */
  spent(sessionId: string): Amount {
    return this.family(this.options.rootOf(sessionId)).spent;
  }

  /**
   * @throws AppError `budget_exceeded` when even the shortest useful answer does not fit; what the signal says when it fires
   *   first
   */
  async reserve(sessionId: string, wish: Wish, signal: AbortSignal): Promise<Hold> {
    const rootId = this.options.rootOf(sessionId);
    for (;;) {
      signal.throwIfAborted();
      const family = this.family(rootId);
      const limits = this.options.limits(rootId);
      const taken = plus(plus(family.spent, family.reserved), wish.spare);
      const fits = (output: number): boolean => within(plus(taken, wish.cost(output)), limits);
      if (fits(wish.mostOutput)) return this.hold(family, wish, wish.mostOutput);
      if (family.holds > 0) {
        await this.release(family, signal);
        continue;
      }
      const output = longest(wish, fits);
      if (output === null) throw exceeded(family.spent, limits);
      return this.hold(family, wish, output);
    }
  }

  /** Books what was spent without a reservation. */
  book(sessionId: string, amount: Amount): void {
    const rootId = this.options.rootOf(sessionId);
    // What is stored is looked at by whoever asks; to book, it need not be read again.
    const family = this.families.get(rootId) ?? this.family(rootId);
    family.spent = plus(family.spent, amount);
  }

  private hold(family: Family, wish: Wish, outputTokens: number): Hold {
    const reserved = wish.cost(outputTokens);
    family.reserved = plus(family.reserved, reserved);
    family.holds += 1;
    let open = true;
    return {
      outputTokens,
      settle: (actual) => {
        if (!open) return;
        open = false;
        family.holds -= 1;
        family.reserved = minus(family.reserved, reserved);
        family.spent = plus(family.spent, actual);
        for (const wake of [...family.waiting]) wake();
      },
    };
  }

  /** Resolves when a reservation of the family ends or the signal fires. */
  private release(family: Family, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        family.waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      family.waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  /** What is booked here may not be stored yet, and another process may have stored more: the larger counts. */
  private family(rootId: string): Family {
    const known = this.families.get(rootId);
    const family = known ?? { spent: NOTHING, reserved: NOTHING, holds: 0, waiting: new Set() };
    if (family.holds === 0) family.spent = larger(family.spent, this.options.stored(rootId));
    this.families.set(rootId, family);
    return family;
  }
}

/** The longest answer that fits; null when the shortest useful one does not. */
function longest({ leastOutput, mostOutput }: Wish, fits: (output: number) => boolean): number | null {
  if (!fits(leastOutput)) return null;
  let [low, high] = [leastOutput, mostOutput];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

function exceeded(spent: Amount, limits: Limits): AppError {
  const used: string[] = [];
  if (limits.micros !== null)
    used.push(`$${(spent.micros / MICROS).toFixed(4)} of $${(limits.micros / MICROS).toFixed(2)}`);
  if (limits.tokens !== null)
    used.push(`${spent.tokens.toLocaleString('en')} of ${limits.tokens.toLocaleString('en')} tokens`);
  return new AppError(
    'budget_exceeded',
    `The budget of this session is used up: ${used.join(' and ')} spent, and the next request could cost more than is left.`,
    {
      hint: 'Raise the budget of this session, then continue.',
      detail: { spentMicros: spent.micros, spentTokens: spent.tokens, ...limits },
    },
  );
}
