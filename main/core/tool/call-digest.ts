import { createHash } from 'node:crypto';

/** What an approval holds for: the digest changes with any of it (sec-C23). */
export interface DigestInput {
  tool: string;
  args: unknown;
  cwd: string;
  env: Record<string, string>;
}

/** Lower-case hex SHA-256 over canonical JSON, so that the order of keys does not matter. */
export function callDigest(input: DigestInput): string {
  return createHash('sha256').update(canonicalJson(input)).digest('hex');
}

/** JSON with sorted keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    const entries = Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1));
    // A null prototype keeps a key named __proto__ an ordinary key.
    return Object.assign(Object.create(null) as object, Object.fromEntries(entries));
  });
}
