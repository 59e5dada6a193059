import { z } from 'zod';
import type { StateStore } from '../store/types';
import { isPlausible } from './token-meter';

const SCOPE = 'token-ratio';
/** Weight of a new sample once there are several: high enough to follow a change of the content, low enough to be steady. */
const WEIGHT = 0.25;
/** A smaller change is not worth a write. */
const WORTH_KEEPING = 0.01;
/** Requests smaller than this say more about fixed costs than about text. */
const LEAST_TOKENS = 200;

const Kept = z.object({ ratio: z.number().positive(), samples: z.int().min(1) });
type Kept = z.infer<typeof Kept>;

/**
 * How many tokens each model counts per token of our own estimate (characters by four), learnt from what providers report and
 * smoothed. Kept in the store; writes wait for {@link flush}, so that none comes between two requests of a turn.
 */
export class TokenCalibration {
  private readonly known = new Map<string, Kept>();
  private readonly stored = new Map<string, number>();

  constructor(private readonly state: StateStore) {}

  /** 1 for a model that never reported anything usable. */
  ratio(model: string): number {
    return this.load(model)?.ratio ?? 1;
  }

  learn(model: string, reported: number, estimated: number): void {
    if (estimated < LEAST_TOKENS || !isPlausible(reported, estimated)) return;
    const sample = reported / estimated;
    const before = this.load(model);
    const samples = (before?.samples ?? 0) + 1;
    const weight = Math.max(WEIGHT, 1 / samples);
    const ratio = before ? before.ratio + (sample - before.ratio) * weight : sample;
    this.known.set(model, { ratio, samples });
  }

  /** @throws AppError as the state store */
  flush(): void {
    for (const [model, kept] of this.known) {
      const stored = this.stored.get(model);
      if (stored !== undefined && Math.abs(stored - kept.ratio) < WORTH_KEEPING) continue;
      this.state.set(SCOPE, model, kept);
      this.stored.set(model, kept.ratio);
    }
  }

  private load(model: string): Kept | undefined {
    const known = this.known.get(model);
    if (known) return known;
    const parsed = Kept.safeParse(this.state.get(SCOPE, model));
    if (!parsed.success) return undefined;
    this.known.set(model, parsed.data);
    this.stored.set(model, parsed.data.ratio);
    return parsed.data;
  }
}
