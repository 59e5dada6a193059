import fc from 'fast-check';
import { expect, test } from 'vitest';
import { builtinTools } from '../tool/builtin-tools';
import { createToolRegistry } from '../tool/registry';
import { recordOf, type LooseRecord } from './loose';
import { fitSchema } from './schema-fit';
import { fitTool, legalToolName } from './schema-tool';

const object = (properties: LooseRecord, rest: LooseRecord = {}): LooseRecord => ({
  type: 'object',
  properties,
  ...rest,
});

test('fault-F109: the tools of this product go out as they are, byte for byte and as the same objects', () => {
  const unused = (): never => {
    throw new Error('no tool runs here');
  };
  const ports = new Proxy({}, { get: () => unused }) as Parameters<typeof builtinTools>[0];
  const registry = createToolRegistry(builtinTools(ports));
  const specs = registry.specsFor('agent').concat(registry.specsFor('plan'));
  expect(specs.length).toBeGreaterThan(15);
  for (const spec of specs) {
    expect(JSON.stringify(fitSchema(spec.parameters))).toBe(JSON.stringify(spec.parameters));
    expect(fitTool(spec)).toBe(spec);
  }
});

test.each([
  ['nothing', undefined, object({})],
  ['null', null, object({})],
  ['an object without properties', { type: 'object' }, object({})],
  ['properties without a type', { properties: { a: { type: 'string' } } }, object({ a: { type: 'string' } })],
  ['a text at the top', { type: 'string' }, object({})],
  [
    'a type that none knows',
    object({ a: { type: 'any', description: 'x' } }),
    object({ a: { description: 'x' } }),
  ],
])('fault-F109: %s becomes an object with properties', (_name, schema, expected) => {
  expect(fitSchema(schema)).toEqual(expected);
});

test('fault-F109: keywords that one provider or other refuses go, what they stand beside stays', () => {
  const schema = object(
    {
      a: {
        type: 'object',
        patternProperties: { '^x': {} },
        propertyNames: { pattern: 'x' },
        additionalProperties: {},
      },
      b: { type: 'string', pattern: '(?<=x)y', 'x-order': 3, contentEncoding: 'base64' },
      c: { type: 'integer', minimum: 0, exclusiveMinimum: true },
      patternProperties: { type: 'string' },
    },
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: 'x',
      unevaluatedProperties: false,
      dependentRequired: { a: ['b'] },
      if: { required: ['a'] },
      then: { required: ['b'] },
      additionalProperties: false,
      required: ['a', 'gone'],
    },
  );
  expect(fitSchema(schema)).toEqual(
    object(
      {
        a: { type: 'object' },
        b: { type: 'string' },
        c: { type: 'integer', exclusiveMinimum: 0 },
        patternProperties: { type: 'string' },
      },
      { additionalProperties: false, required: ['a'] },
    ),
  );
});

test('fault-F109: references are followed, and a cycle ends at its second round', () => {
  const schema = {
    $ref: '#/$defs/Node',
    $defs: {
      Node: object(
        {
          name: { $ref: '#/definitions/a~1b', description: 'its name' },
          children: { type: 'array', items: { $ref: '#/$defs/Node' } },
          other: { $ref: 'https://example.com/schema.json', description: 'elsewhere' },
        },
        { required: ['name'] },
      ),
    },
    definitions: { 'a/b': { type: 'string', minLength: 1 } },
  };
  expect(fitSchema(schema)).toEqual(
    object(
      {
        name: { type: 'string', minLength: 1, description: 'its name' },
        children: { type: 'array', items: { type: 'object' } },
        other: { description: 'elsewhere' },
      },
      { required: ['name'] },
    ),
  );
});

test('fault-F109: a small schema whose references double at each step stays small', () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [
      `d${at}`,
      object({ a: { $ref: `#/$defs/d${at + 1}` }, b: { $ref: `#/$defs/d${at + 1}` } }),
    ]),
  );
  const all = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [
      `d${at}`,
      {
        allOf: [
          { $ref: `#/$defs/d${at + 1}` },
          { properties: { [`p${at}`]: {} } },
          { $ref: `#/$defs/d${at + 1}` },
        ],
      },
    ]),
  );
  expect(JSON.stringify(fitSchema({ $ref: '#/$defs/d0', $defs })).length).toBeLessThan(200_000);
  expect(JSON.stringify(fitSchema({ $ref: '#/$defs/d0', $defs: all })).length).toBeLessThan(200_000);
});

test('fault-F109: a choice at the top becomes one list of arguments', () => {
  const schema = {
    oneOf: [
      object({ kind: { const: 'file' }, path: { type: 'string' } }, { required: ['kind', 'path'] }),
      object({ kind: { const: 'url' }, url: { type: 'string' } }, { required: ['kind', 'url'] }),
    ],
  };
  expect(fitSchema(schema)).toEqual(
    object(
      { kind: { type: 'string', enum: ['file', 'url'] }, path: { type: 'string' }, url: { type: 'string' } },
      { required: ['kind'] },
    ),
  );
  const oneNeeded = object({ a: {}, b: {} }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] });
  expect(fitSchema(oneNeeded)).toEqual(object({ a: {}, b: {} }));
});

test('fault-F109: allOf is joined, absent branches go, a choice further down stays', () => {
  const schema = {
    allOf: [
      object({ a: { anyOf: [{ not: {} }, { type: 'string' }] } }, { required: ['a'] }),
      object({ b: {} }),
    ],
    properties: { c: { anyOf: [{ type: 'string' }, { type: 'null' }] }, d: false, e: true, f: 'object' },
  };
  expect(fitSchema(schema)).toEqual(
    object(
      { c: { anyOf: [{ type: 'string' }, { type: 'null' }] }, e: {}, a: { type: 'string' }, b: {} },
      { required: ['a'] },
    ),
  );
});

test('fault-F109: an array says what it holds, a tuple in words that all know', () => {
  const schema = object({
    a: { type: 'array' },
    b: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
    c: { type: 'array', items: [{ type: 'string' }] },
  });
  expect(fitSchema(schema)['properties']).toEqual({
    a: { type: 'array', items: {} },
    b: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
    c: { type: 'array', items: { type: 'string' } },
  });
});

test('fault-F109: the plain form says types, names, descriptions and choices of words alone', () => {
  const schema = object(
    {
      a: { type: ['string', 'null'], minLength: 1, format: 'uri', default: 'x', description: 'where' },
      b: { anyOf: [{ type: 'null' }, { type: 'integer', minimum: 1 }] },
      c: { enum: ['x', 'y'] },
      d: { enum: [1, 2], type: 'integer' },
      e: { const: 'only' },
      f: { type: 'array' },
      g: true,
    },
    { additionalProperties: false, required: ['a'] },
  );
  expect(fitSchema(schema, 'plain')).toEqual(
    object(
      {
        a: { type: 'string', description: 'where' },
        b: { type: 'integer' },
        c: { type: 'string', enum: ['x', 'y'] },
        d: { type: 'integer' },
        e: { type: 'string', enum: ['only'] },
        f: { type: 'array', items: { type: 'string' } },
        g: { type: 'string' },
      },
      { required: ['a'] },
    ),
  );
});

test('fault-F109: arguments with names that are refused go unless they are needed', () => {
  const schema = object({ 'a b': {}, ü: {}, ok: {}, 'c d': {} }, { required: ['c d'] });
  expect(fitSchema(schema)).toEqual(object({ ok: {}, 'c d': {} }, { required: ['c d'] }));
});

test('fault-F109: names and descriptions are made legal, and two names never become one', () => {
  expect(legalToolName('read_file')).toBe('read_file');
  const odd = ['a.b', 'a/b', 'a b', '工具', '', 'x'.repeat(65), `${'x'.repeat(65)}y`].map(legalToolName);
  for (const name of odd) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  expect(new Set(odd).size).toBe(odd.length);
  expect(legalToolName('a.b')).toBe(odd[0]);
  const long = fitTool({ name: 'a', description: `${'x'.repeat(1022)}😀y\ud800`, parameters: {} });
  expect(long.description).toBe(`${'x'.repeat(1022)}…`);
});

/** Any JSON with the words of schemas in it, loose ends and circles included. */
const anySchema = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(
      {},
      true,
      false,
      'object',
      null,
      3,
      { $ref: '#' },
      { $ref: '#/properties/a' },
      { $ref: '#/$defs/a' },
    ),
    fc.dictionary(
      fc.constantFrom(
        ...[
          'type',
          'items',
          'anyOf',
          'oneOf',
          'allOf',
          'not',
          'enum',
          'const',
          'required',
          '$ref',
          'pattern',
        ],
        ...['additionalProperties', 'prefixItems', 'minimum', 'exclusiveMinimum', '$schema', 'description'],
      ),
      fc.oneof(
        fc.constantFrom<unknown>(
          'object',
          'array',
          'string',
          ['string', 'null'],
          ['a'],
          [],
          true,
          1,
          '#/$defs/a',
          '(',
        ),
        tie('schema'),
        fc.array(tie('schema'), { maxLength: 3 }),
      ),
    ),
    fc.record({
      type: fc.constantFrom<unknown>('object', undefined),
      properties: fc.dictionary(fc.constantFrom('a', 'b', 'type', '__proto__', 'c d'), tie('schema')),
      $defs: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema')),
    }),
  ),
})).schema;

const REFUSED = [
  '$ref',
  '$defs',
  '$schema',
  'allOf',
  'not',
  'prefixItems',
  'patternProperties',
  'propertyNames',
];

function faults(schema: unknown, at = '#'): string[] {
  const record = recordOf(schema);
  if (record === null) return [`${at} is no schema`];
  const bad = REFUSED.filter((word) => Object.hasOwn(record, word)).map((word) => `${at} has ${word}`);
  const inner = [
    ...Object.entries(recordOf(record['properties']) ?? {}),
    ...(record['items'] === undefined ? [] : [['items', record['items']] as const]),
    ...[record['anyOf'], record['oneOf']].flatMap((list) =>
      Array.isArray(list) ? list.map((each) => ['|', each] as const) : [],
    ),
  ];
  return bad.concat(inner.flatMap(([name, each]) => faults(each, `${at}/${name}`)));
}

test.each(['common', 'plain'] as const)(
  'fault-F109: whatever comes in, the %s form is legal and stays',
  (level) => {
    fc.assert(
      fc.property(anySchema, (schema) => {
        const before = JSON.stringify(schema);
        const fitted = fitSchema(schema, level);
        expect(faults(fitted)).toEqual([]);
        expect(fitted).toMatchObject({ type: 'object', properties: {} });
        expect(fitted['anyOf'] ?? fitted['oneOf']).toBeUndefined();
        expect(JSON.stringify(fitSchema(fitted, level))).toBe(JSON.stringify(fitted));
        expect(JSON.stringify(schema)).toBe(before);
      }),
      { numRuns: 500, seed: 109 },
    );
  },
);
