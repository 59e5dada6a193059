import { listOf, recordOf, type LooseRecord } from './loose';
import { fitKeywords, type FitLevel } from './schema-keywords';
import { joined, settle, walkOf, type SchemaWalk } from './schema-refs';

/**
 * A tool's JSON Schema in the form that providers take, whoever wrote it: an object at the top with `properties`, no
 * references, no choices at the top, no keyword that one of them refuses. It never says less than it must: what is legal
 * comes out as it went in, and doing it twice changes nothing. Loose ends are the tool's own affair: it parses what it gets.
 *
 * Where the rules come from: OpenAI wants `type: "object"` and `items`; Anthropic refuses `anyOf`, `oneOf` and `allOf` at the
 * top, `$ref` and odd argument names; Gemini refuses `$schema`, `patternProperties`, `propertyNames`, `not`; Kimi refuses
 * `additionalProperties: {}`; LM Studio wants `properties`.
 */
export function fitSchema(parameters: unknown, level: FitLevel = 'common'): LooseRecord {
  const document = recordOf(parameters) ?? {};
  const walk = walkOf(document);
  const { schema, open } = settle(document, walk);
  const top = withoutChoice(schema, { ...walk, open });
  const { type: _type, ...fitted } = fitNode(top, { ...walk, open }, level) ?? {};
  const result: LooseRecord = top['type'] === 'object' ? inPlace(top, fitted) : { type: 'object', ...fitted };
  return result['properties'] === undefined ? { ...result, properties: {} } : result;
}

/** `type: object` stays where it stood. */
function inPlace(top: LooseRecord, fitted: LooseRecord): LooseRecord {
  const names = Object.keys(top).filter((name) => name === 'type' || Object.hasOwn(fitted, name));
  const added = Object.keys(fitted).filter((name) => !Object.hasOwn(top, name));
  return Object.fromEntries(
    [...names, ...added].map((name) => [name, name === 'type' ? 'object' : fitted[name]]),
  );
}

function fitNode(value: unknown, walk: SchemaWalk, level: FitLevel): LooseRecord | null {
  if (value === true) return level === 'plain' ? { type: 'string' } : {};
  const record = recordOf(value);
  if (record === null || isNothing(record)) return null;
  const { schema, open } = settle(record, walk);
  const inner: SchemaWalk = { ...walk, open };
  if (walk.left.nodes <= 0) return fitKeywords(leaf(schema), () => null, level);
  const fitted = whole(
    fitKeywords(schema, (part) => fitNode(part, inner, level), level),
    level,
  );
  return level === 'plain' ? plain(fitted, schema) : fitted;
}

/** `not` everything: what some generators write for an argument that may be absent. */
const isNothing = ({ not }: LooseRecord): boolean =>
  not === true || (recordOf(not) !== null && Object.keys(recordOf(not) ?? {}).length === 0);

const leaf = ({ type, description }: LooseRecord): LooseRecord => ({ type, description });

/** A choice of one is none; an array says what it holds. */
function whole(schema: LooseRecord, level: FitLevel): LooseRecord {
  let result = schema;
  for (const name of ['anyOf', 'oneOf']) {
    const branches = listOf(result[name]);
    const only = recordOf(branches[0]);
    if (only === null || (branches.length > 1 && level === 'common')) continue;
    const { [name]: _choice, ...rest } = result;
    const first = branches.map(recordOf).find((branch) => branch !== null && branch['type'] !== 'null');
    result = joined(rest, first ?? only);
  }
  const isArray = result['type'] === 'array' || listOf(result['type']).includes('array');
  if (!isArray || result['items'] !== undefined) return result;
  return { ...result, items: level === 'plain' ? { type: 'string' } : {} };
}

/** A type is always said. */
function plain(fitted: LooseRecord, schema: LooseRecord): LooseRecord {
  const constant = schema['const'];
  const known =
    fitted['enum'] === undefined && typeof constant === 'string' ? { ...fitted, enum: [constant] } : fitted;
  if (known['type'] !== undefined) return known;
  const type =
    known['properties'] !== undefined ? 'object' : known['items'] === undefined ? 'string' : 'array';
  return { type, ...known };
}

/** A choice between whole argument lists becomes one list of all arguments; what each branch needs stays needed. */
function withoutChoice(schema: LooseRecord, walk: SchemaWalk): LooseRecord {
  const { anyOf, oneOf, ...rest } = schema;
  const branches = [...listOf(anyOf), ...listOf(oneOf)].map(recordOf);
  if (anyOf === undefined && oneOf === undefined) return schema;
  const settled = branches.filter((branch) => branch !== null).map((branch) => settle(branch, walk).schema);
  const own = recordOf(rest['properties']) ?? {};
  const variants = new Map<string, unknown[]>();
  for (const branch of settled) {
    for (const [name, part] of Object.entries(recordOf(branch['properties']) ?? {})) {
      if (!Object.hasOwn(own, name)) variants.set(name, [...(variants.get(name) ?? []), part]);
    }
  }
  const merged = [...variants].map(([name, parts]) => [name, oneOfAll(parts)] as const);
  const needed = settled.map((branch) => new Set(listOf(branch['required'])));
  const everywhere = [...(needed[0] ?? [])].filter((name) => needed.every((names) => names.has(name)));
  return {
    ...rest,
    properties: Object.fromEntries([...Object.entries(own), ...merged]),
    required: [...new Set<unknown>([...listOf(rest['required']), ...everywhere])],
  };
}

/** The forms of one argument as one schema: a list of words where all are words. */
function oneOfAll(parts: readonly unknown[]): unknown {
  const different = parts.filter(
    (part, at) => parts.findIndex((each) => JSON.stringify(each) === JSON.stringify(part)) === at,
  );
  if (different.length === 1) return different[0];
  const words = different.map((part) => wordsOf(recordOf(part)));
  if (words.every((each) => each !== null)) return { type: 'string', enum: [...new Set(words.flat())] };
  return { anyOf: different };
}

function wordsOf(part: LooseRecord | null): string[] | null {
  const words = part?.['const'] === undefined ? listOf(part?.['enum']) : [part['const']];
  const texts = words.filter((word) => typeof word === 'string');
  return texts.length > 0 && texts.length === words.length ? texts : null;
}
