import { z } from 'zod';

/** What a model costs in US dollars per million tokens. Input that the provider had cached costs `cached`. */
export const ModelPrice = z.object({
  input: z.number().min(0).max(100_000),
  /** The input price when left out. */
  cached: z.number().min(0).max(100_000).optional(),
  output: z.number().min(0).max(100_000),
});
export type ModelPrice = z.infer<typeof ModelPrice>;

/** Prices by `provider/model`, `model` or either with a `*` at its end. */
export const PriceTable = z.record(z.string().min(1).max(300), ModelPrice);
export type PriceTable = z.infer<typeof PriceTable>;

/** Millionths of a dollar in one dollar. */
export const MICROS = 1_000_000;
