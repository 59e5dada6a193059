import type { PriceTable } from '../../../shared/model/budget';
import { MICROS } from '../../../shared/model/budget';
import type { SessionId } from '../../../shared/model/ids';
import type { ModelProvider, ResolvedModel } from '../model/port';
import type { SessionStore } from '../store/types';
import { SpendingLedger, type Amount, type Limits } from './ledger';
import { meteredProvider } from './metered-provider';
import { priceOf } from './price-of';

export interface BudgetOptions {
  sessions: Pick<SessionStore, 'get' | 'spending' | 'spend'>;
  /** Dollars and tokens that a session and its subagents may spend; 0 is no limit. */
  usual(): { usd: number; tokens: number };
  /** The user's own prices. */
  prices(): PriceTable;
  /** Told when spending could not be stored; it is counted all the same while this process lives. */
  onError(error: unknown): void;
}

const limit = (value: number): number | null => (value > 0 ? value : null);

/** What sessions may spend and have spent, and the models through which they spend it. */
export class Budgets {
  private readonly ledger: SpendingLedger;
  private readonly counted = new Map<string, number>();

  constructor(private readonly options: BudgetOptions) {
    const { sessions, usual } = options;
    this.ledger = new SpendingLedger({
      rootOf: (id) => sessions.get(id)?.parentId ?? id,
      limits: (rootId): Limits => {
        const own = sessions.get(rootId);
        const { usd, tokens } = usual();
        return {
          micros: limit(own?.budgetMicros ?? Math.round(usd * MICROS)),
          tokens: limit(own?.budgetTokens ?? tokens),
        };
      },
      stored: (rootId) => sessions.spending(rootId),
    });
  }

  /** What a session and its subagents have spent, and may. */
  of(sessionId: SessionId): { spent: Amount; limits: Limits } {
    return { spent: this.ledger.spent(sessionId), limits: this.ledger.limits(sessionId) };
  }

  /** Makes models of a session pay from its budget; the same provider gives the same result each time. */
  meter(sessionId: SessionId): (resolved: ResolvedModel) => ResolvedModel {
    const made = new WeakMap<ModelProvider, ModelProvider>();
    return (resolved) => {
      const known = made.get(resolved.provider);
      const provider = known ?? this.metered(sessionId, resolved.provider);
      made.set(resolved.provider, provider);
      return { ...resolved, provider };
    };
  }

  private metered(sessionId: SessionId, provider: ModelProvider): ModelProvider {
    const { sessions, prices, onError } = this.options;
    const isLocal = provider.local === true || provider.scripted;
    return meteredProvider(provider, {
      sessionId,
      ledger: this.ledger,
      counted: this.counted,
      price: (name) => priceOf(name, isLocal, prices()),
      store: (amount) => {
        try {
          sessions.spend(sessionId, amount);
        } catch (error) {
          onError(error);
        }
      },
    });
  }
}
