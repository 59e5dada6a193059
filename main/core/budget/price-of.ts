import type { ModelPrice, PriceTable } from '../../../shared/model/budget';
import type { Usage } from '../model/port';
import { LIST_PRICES } from './price-table';

/** A model on the user's own machine costs nothing per token. */
const FREE: ModelPrice = { input: 0, output: 0 };

/** `claude-sonnet-4.5` and `claude-sonnet-4-5` are one model to different sellers. */
const plain = (name: string): string => name.toLowerCase().replaceAll('.', '-');
const bare = (model: string): string => model.slice(model.lastIndexOf('/') + 1);

/** The entry for one of these names: the exact one first, then the longest with `*`. */
function lookUp(table: PriceTable, names: readonly string[]): ModelPrice | null {
  const entries = Object.entries(table).map(([key, price]) => ({ key: plain(key), price }));
  for (const name of names) {
    const exact = entries.find(({ key }) => key === name);
    if (exact) return exact.price;
  }
  const patterns = entries.filter(
    ({ key }) => key.endsWith('*') && names.some((name) => name.startsWith(key.slice(0, -1))),
  );
  return patterns.toSorted((a, b) => b.key.length - a.key.length)[0]?.price ?? null;
}

/** What follows a listed name when a maker dates it, as in `gpt-5-mini-2025-08-07`. */
const DATED = /^-(?:\d{4,8}|latest|preview)/;

function listPrice(names: readonly string[]): ModelPrice | null {
  const exact = lookUp(LIST_PRICES, names);
  if (exact) return exact;
  const dated = Object.entries(LIST_PRICES).filter(([key]) =>
    names.some((name) => name.startsWith(plain(key)) && DATED.test(name.slice(key.length))),
  );
  return dated.toSorted(([a], [b]) => b.length - a.length)[0]?.[1] ?? null;
}

/**
 * What a model costs: by the user's own table, else nothing when it runs on this machine, else by list price.
 *
 * @param name `provider/model`
 * @returns null when no price is known
 */
export function priceOf(name: string, isLocal: boolean, own: PriceTable): ModelPrice | null {
  const full = plain(name);
  const model = full.slice(full.indexOf('/') + 1);
  const names = [...new Set([full, model, bare(model)])];
  return lookUp(own, names) ?? (isLocal ? FREE : listPrice(names));
}

/** Millionths of a US dollar, rounded up. Cached tokens are part of the input. */
export function costMicros(usage: Usage, price: ModelPrice): number {
  const cached = Math.min(usage.cachedTokens ?? 0, usage.inputTokens);
  const fresh = usage.inputTokens - cached;
  // Dollars per million tokens are millionths of a dollar per token.
  const exact =
    fresh * price.input + cached * (price.cached ?? price.input) + usage.outputTokens * price.output;
  return Math.max(0, Math.ceil(exact - 1e-9));
}
