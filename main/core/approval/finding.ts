/**
 * How far a command goes beyond what rules may decide: `block` never runs; `critical` needs a person, no flag stands in;
 * `danger` always asks, marked red; `ask` always asks unless a rule names exactly this command.
 */
export type DangerLevel = 'block' | 'critical' | 'danger' | 'ask';

export interface Finding {
  level: DangerLevel;
  /** One sentence. */
  reason: string;
}
