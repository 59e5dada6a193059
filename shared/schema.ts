import type { z } from 'zod';

/**
 * What general code knows of a schema: its types; `z.parse` and `z.safeParse` take it. The compiler compares every schema
 * with a bound like this one. Comparing them with `z.ZodType` and its fifty methods took half of the time of a check.
 */
export type Schema<Output = unknown> = z.core.$ZodType<Output>;
