import { distance } from 'fastest-levenshtein';
import type { z } from 'zod';

/** The part of JSON Schema that tool schemas use. */
export interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  [key: string]: unknown;
}

const MAX_CLOSE_NAMES = 10;

/**
 * Puts right what models commonly get wrong without changing a meaning (fault-F70, F72, F74): "true"/"false" and whole
 * numbers given as text, null for something optional, an object or list encoded once more as text, keys that do not exist.
 * Everything else is left for validation to name.
 */
export function repairArguments(value: unknown, schema: JsonSchema): unknown {
  switch (schema.type) {
    case 'object':
      return repairObject(decoded(value, 'object') ?? {}, schema);
    case 'array':
      return repairArray(decoded(value, 'array'), schema);
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value;
    case 'integer':
      return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
    default:
      return value;
  }
}

function repairObject(value: unknown, schema: JsonSchema): unknown {
  const properties = schema.properties;
  if (typeof value !== 'object' || value === null || Array.isArray(value) || properties === undefined)
    return value;
  const given = value as Record<string, unknown>;
  const required = new Set(schema.required ?? []);
  const kept: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(properties)) {
    if (!Object.hasOwn(given, key)) continue;
    if (given[key] === null && !required.has(key)) continue;
    kept[key] = repairArguments(given[key], inner);
  }
  return kept;
}

function repairArray(value: unknown, schema: JsonSchema): unknown {
  const items = schema.items;
  if (!Array.isArray(value) || items === undefined) return value;
  return value.map((item) => repairArguments(item, items));
}

/** Decodes text that holds JSON of the wanted kind; any other text stays what it is. */
function decoded(value: unknown, kind: 'object' | 'array'): unknown {
  if (typeof value !== 'string') return value;
  try {
    const inner: unknown = JSON.parse(value);
    const fits = kind === 'array' ? Array.isArray(inner) : typeof inner === 'object' && !Array.isArray(inner);
    return fits ? inner : value;
  } catch {
    return value;
  }
}

/** One line per wrong argument, naming the field. */
export function describeIssues(error: z.ZodError): string {
  return error.issues
    .slice(0, 8)
    .map((issue) => {
      const field = issue.path.map(String).join('.');
      const message = issue.message.replace(/^Invalid input: /, '');
      return field === '' ? message : `\`${field}\`: ${message}`;
    })
    .join('\n');
}

/** Up to ten known names, the closest first, for a name that is not known (fault-F73). */
export function closeNames(name: string, known: readonly string[]): string[] {
  const wanted = name.toLowerCase().slice(0, 64);
  return known
    .map((candidate) => ({ candidate, score: closeness(wanted, candidate) }))
    .sort((a, b) => a.score - b.score || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, MAX_CLOSE_NAMES)
    .map(({ candidate }) => candidate);
}

function closeness(wanted: string, candidate: string): number {
  const shared = wanted !== '' && (candidate.includes(wanted) || wanted.includes(candidate));
  return shared ? -1 : distance(wanted, candidate);
}
