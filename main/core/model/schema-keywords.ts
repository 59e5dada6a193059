import { listOf, recordOf, type LooseRecord } from './loose';

/**
 * How much a schema may say. `common`: what the large providers and local servers all take. `plain`: types, names,
 * descriptions and choices alone, for the provider that refused the other.
 */
export type FitLevel = 'common' | 'plain';

/** Makes a part of the schema fit; null = nothing can be said there, so it goes. */
export type FitPart = (schema: unknown) => LooseRecord | null;

/** A keyword's value as it may be sent; undefined = the keyword goes. */
type Keyword = (value: unknown, fit: FitPart, level: FitLevel) => unknown;

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
/** Names of arguments that every provider takes (Anthropic's rule is the narrowest). */
const ARGUMENT_NAME = /^[A-Za-z0-9_.-]{1,64}$/;
/** Longest description of one argument. */
const MAX_DESCRIPTION = 4096;

/** `text` of at most `max` characters, cut between characters and without lone surrogates (fault-F111). */
export function cutText(text: string, max: number): string {
  const whole = text.toWellFormed();
  if (whole.length <= max) return whole;
  const end = max - 1;
  const code = whole.codePointAt(end - 1) ?? 0;
  return `${whole.slice(0, code > 0xffff ? end - 1 : end)}…`;
}

const common =
  (keyword: Keyword): Keyword =>
  (value, fit, level) =>
    level === 'common' ? keyword(value, fit, level) : undefined;

const finite: Keyword = common((value) =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined,
);
const flag: Keyword = common((value) => (typeof value === 'boolean' ? value : undefined));
const text: Keyword = (value) => (typeof value === 'string' ? cutText(value, MAX_DESCRIPTION) : undefined);

function typeOf(value: unknown, _fit: FitPart, level: FitLevel): unknown {
  if (typeof value === 'string') return TYPES.has(value) ? value : undefined;
  const known = [...new Set(listOf(value).filter((each) => typeof each === 'string' && TYPES.has(each)))];
  if (level === 'plain') return known.find((each) => each !== 'null');
  return known.length > 1 ? known : known[0];
}

function enumOf(value: unknown, _fit: FitPart, level: FitLevel): unknown {
  const values = listOf(value);
  const usable = level === 'common' || values.every((each) => typeof each === 'string' && each !== '');
  return values.length > 0 && usable ? values : undefined;
}

/** A pattern that is none for JavaScript, or looks around, is refused by servers that build a grammar from it. */
function patternOf(value: unknown): unknown {
  if (typeof value !== 'string' || /\(\?[=!<]/.test(value)) return undefined;
  try {
    new RegExp(value, 'u');
    return value;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function propertiesOf(value: unknown, fit: FitPart): unknown {
  const record = recordOf(value);
  if (record === null) return undefined;
  const fitted = Object.entries(record).flatMap(([name, schema]) => {
    const part = fit(schema);
    return part === null ? [] : [[name, part] as const];
  });
  return Object.fromEntries(fitted);
}

function branchesOf(value: unknown, fit: FitPart): unknown {
  const branches = listOf(value).flatMap((each) => fit(each) ?? []);
  return branches.length > 0 ? branches : undefined;
}

const itemsOf: Keyword = (value, fit) => fit(Array.isArray(value) ? { anyOf: value } : value) ?? undefined;

/** What may be said of a schema. All else – dialects, conditions, patterns of names – is refused by one provider or other. */
const KEYWORDS: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ['type', typeOf],
  ['title', common(text)],
  ['description', text],
  ['enum', enumOf],
  ['const', common((value) => value)],
  ['default', common((value) => value)],
  ['properties', propertiesOf],
  ['required', (value) => listOf(value).filter((each) => typeof each === 'string')],
  ['additionalProperties', flag],
  ['items', itemsOf],
  ['anyOf', branchesOf],
  ['oneOf', branchesOf],
  ['pattern', common(patternOf)],
  ['format', common(text)],
  ['uniqueItems', flag],
  ...[
    ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
    ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
  ].map((name) => [name, finite] as const),
]);

/** The keywords of one schema that may be sent, in their order. */
export function fitKeywords(schema: LooseRecord, fit: FitPart, level: FitLevel): LooseRecord {
  const kept = Object.entries(modern(schema)).flatMap(([name, value]) => {
    const fitted = KEYWORDS.get(name)?.(value, fit, level);
    return fitted === undefined ? [] : [[name, fitted] as const];
  });
  return namedRight(Object.fromEntries(kept));
}

/** Tuples and limits as older and newer drafts write them, in the words that all know. */
function modern(schema: LooseRecord): LooseRecord {
  const result = { ...schema };
  if (Array.isArray(schema['prefixItems'])) result['items'] = schema['prefixItems'];
  for (const [flagName, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (schema[flagName] !== true) continue;
    result[flagName] = schema[limit];
    delete result[limit];
  }
  return result;
}

/** Arguments with names that are refused go unless they are needed; only what there is can be required. */
function namedRight(schema: LooseRecord): LooseRecord {
  const { required, ...rest } = schema;
  const properties = recordOf(schema['properties']);
  const needed = new Set(listOf(required));
  const kept = Object.entries(properties ?? {}).filter(
    ([name]) => ARGUMENT_NAME.test(name) || needed.has(name),
  );
  const names = new Set<unknown>(kept.map(([name]) => name));
  const stillNeeded = [...needed].filter((name) => names.has(name));
  const whole: LooseRecord = stillNeeded.length === 0 ? rest : { ...schema, required: stillNeeded };
  return properties === null ? whole : { ...whole, properties: Object.fromEntries(kept) };
}
