import { PriceTable, type ModelPrice } from '../../../shared/model/budget';

/** One line of the price table as typed. */
export interface PriceDraft {
  model: string;
  input: string;
  cached: string;
  output: string;
}

export const EMPTY_PRICE: PriceDraft = { model: '', input: '', cached: '', output: '' };

export const toDraft = (model: string, { input, cached, output }: ModelPrice): PriceDraft => ({
  model,
  input: String(input),
  cached: cached === undefined ? '' : String(cached),
  output: String(output),
});

const amount = (text: string): number => (text.trim() === '' ? NaN : Number(text.trim().replace(',', '.')));

/** The table with this line put in, or why it can't be. `before` is the model's name so far; null for a new line. */
export function withPrice(
  table: PriceTable,
  before: string | null,
  draft: PriceDraft,
): { table: PriceTable } | { problem: string } {
  const model = draft.model.trim();
  if (model === '') return { problem: 'Name the model, as provider/model or with * at its end.' };
  if (model !== before && model in table) return { problem: `${model} has a price already.` };
  const cached = draft.cached.trim() === '' ? {} : { cached: amount(draft.cached) };
  const price = { input: amount(draft.input), ...cached, output: amount(draft.output) };
  const rest = Object.entries(table).filter(([key]) => key !== before && key !== model);
  const parsed = PriceTable.safeParse(Object.fromEntries([...rest, [model, price]]));
  return parsed.success
    ? { table: parsed.data }
    : { problem: 'Prices are numbers of dollars per million tokens; cached may stay empty.' };
}

export const withoutPrice = (table: PriceTable, model: string): PriceTable =>
  Object.fromEntries(Object.entries(table).filter(([key]) => key !== model));
