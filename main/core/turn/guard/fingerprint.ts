import { createHash } from 'node:crypto';

/** JSON with the keys of every object sorted, so that equal arguments give equal text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((entry) => canonicalJson(entry)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`);
  return `{${fields.join(',')}}`;
}

/** What makes two calls the same (H3): the tool's name and its arguments, whatever the order of their keys. */
export const fingerprint = (tool: string, args: unknown): string => `${tool} ${canonicalJson(args)}`;

export const hashText = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** A fingerprint short enough to be told. */
export function shownCall(print: string): string {
  const line = print.replaceAll(/\s+/g, ' ').trim();
  return line.length <= 120 ? line : `${line.slice(0, 119).toWellFormed()}…`;
}
