/** Old tool output is trimmed inside a turn from here on, as a part of the model's window. */
export const TRIM_AT = 0.7;
/** The whole conversation is summarised from here on. */
export const SUMMARY_AT = 0.85;

export interface ContextUse {
  /** 0–100, rounded; full from 100 on. */
  readonly percent: number;
  readonly tone: 'plain' | 'warn';
}

/** How full the model's window is; null while one of the numbers is not known. */
export function contextUse(tokens: number | null, window: number | null): ContextUse | null {
  if (tokens === null || window === null || window <= 0) return null;
  const percent = Math.min(100, Math.round((tokens / window) * 100));
  return { percent, tone: percent > SUMMARY_AT * 100 ? 'warn' : 'plain' };
}
