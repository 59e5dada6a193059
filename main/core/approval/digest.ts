import { createHash } from 'node:crypto';

/** What an answer holds for. */
export interface DigestInput {
  tool: string;
  args: unknown;
  /** Absolute folder of a command; null for tools that have none. */
  cwd: string | null;
  /** Variables that the call sets beyond the standard environment. */
  env: Readonly<Record<string, string>>;
}

/** JSON with sorted keys and without blanks: equal values give equal text. Undefined members are left out, as in JSON. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => canonicalJson(each ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`;
}

/** Lower-case hex SHA-256 over {tool, args, cwd, env}: an approval holds for exactly this (sec-C23). */
export function approvalDigest(input: DigestInput): string {
  const { tool, args, cwd, env } = input;
  return createHash('sha256').update(canonicalJson({ tool, args, cwd, env })).digest('hex');
}
