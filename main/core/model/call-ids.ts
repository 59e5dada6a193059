import { randomUUID } from 'node:crypto';

/** What every provider takes as a call id (the narrowest of their rules). */
const LEGAL_ID = /^[A-Za-z0-9_-]{1,64}$/;

export const newCallId = (): string => `call_${randomUUID().replaceAll('-', '')}`;

/**
 * Gives calls legal ids that are unique within one conversation (fault-F64 to F66).
 *
 * @param taken ids that the conversation already uses
 */
export class CallIds {
  private readonly taken: Set<string>;

  constructor(taken: Iterable<string> = []) {
    this.taken = new Set(taken);
  }

  /** A legal, unused id as near to `wanted` as can be; '' gets a new one. */
  claim(wanted: string): string {
    const id = this.free(legalCallId(wanted));
    this.taken.add(id);
    return id;
  }

  private free(id: string): string {
    return id !== '' && !this.taken.has(id) ? id : newCallId();
  }
}

/** `id` with illegal characters replaced and cut to 64; the same input always gives the same output. */
export function legalCallId(id: string): string {
  return LEGAL_ID.test(id) ? id : id.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);
}
