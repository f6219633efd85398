import { beforeAll, describe, expect, test } from 'vitest';
import type { Change } from '../../../../src/compiler/gate/changes/change.ts';
import { changesBetween } from '../../../../src/compiler/gate/changes/compare.ts';
import { readEdition } from '../../../../src/compiler/gate/changes/edition.ts';
import { withFolder } from '../../../support/folder.ts';

type Schema = Readonly<Record<string, unknown>>;
type Case = readonly [name: string, before: Schema, after: Schema];

const text = { type: 'string' };
const whole = { type: 'integer' };
const object = (properties: Schema, more: Schema = {}): Schema => ({ type: 'object', properties, ...more });
const branch = (name: string): Schema => object({ kind: { const: name } }, { required: ['kind'] });

/** What means the same, written in another way: compatible in requests and in answers. */
const SAME: readonly Case[] = [
  [
    'a property moved between members of allOf',
    { allOf: [object({ a: text, b: whole }), object({ c: text })] },
    { allOf: [object({ a: text }), object({ c: text, b: whole })] },
  ],
  [
    'allOf written out',
    { allOf: [object({ a: text }, { required: ['a'] }), object({ b: whole })] },
    object({ a: text, b: whole }, { required: ['a'] }),
  ],
  ['a list of types as anyOf', { type: ['string', 'null'] }, { anyOf: [text, { type: 'null' }] }],
  ['anyOf as a list of types', { anyOf: [{ type: 'null' }, whole] }, { type: ['integer', 'null'] }],
  ['an enum as oneOf of constants', { enum: ['a', 'b'] }, { oneOf: [{ const: 'a' }, { const: 'b' }] }],
  ['constants as an enum', { anyOf: [{ const: 'a' }, { const: 'b' }] }, { type: 'string', enum: ['b', 'a'] }],
  ['a constant as an enum of one', { const: 'a' }, { enum: ['a'] }],
  ['a bound in another place', { type: 'integer', minimum: 3 }, { allOf: [{ type: 'integer' }, { minimum: 3 }] }],
  ['branches in another order', { oneOf: [branch('a'), branch('b')] }, { oneOf: [branch('b'), branch('a')] }],
];

/** What refuses something that was accepted, or is more than was known. */
const REFUSED: readonly Case[] = [
  ['readOnly gained', object({ a: text, b: whole }), object({ a: { ...text, readOnly: true }, b: whole })],
  [
    'readOnly gained, deeper',
    object({ in: object({ a: text }) }),
    object({ in: object({ a: { ...text, readOnly: true } }) }),
  ],
  ['an item of a tuple', tuple(text, whole), tuple(text, text)],
  ['a narrower item of a tuple', tuple(text, whole), tuple({ ...text, maxLength: 3 }, whole)],
  ['a tuple that ends', tuple(text, whole), { ...tuple(text, whole), items: false }],
  ['the key of patternProperties', patterned('^a', whole), patterned('^b', whole)],
  ['a narrower patternProperties', patterned('^a', whole), patterned('^a', { ...whole, maximum: 9 })],
  ['a narrower union', { anyOf: [text, whole] }, { anyOf: [text, { ...whole, minimum: 0 }] }],
  [
    'a narrower entry, deeper',
    { type: 'array', items: object({ a: text }) },
    { type: 'array', items: object({ a: { ...text, minLength: 2 } }) },
  ],
];

const ANSWERED: readonly Case[] = [
  [
    'writeOnly gained',
    object({ a: text, b: whole }, { required: ['a'] }),
    object({ a: { ...text, writeOnly: true }, b: whole }, { required: ['a'] }),
  ],
  ['an item of a tuple', tuple(text, whole), tuple(text, text)],
  ['another branch', { anyOf: [text, whole] }, { anyOf: [text, whole, { type: 'boolean' }] }],
  ['a wider patternProperties', patterned('^a', whole), patterned('^a', {})],
];

const WIDER: readonly Case[] = [
  ['a wider constant', { const: 'a' }, { enum: ['a', 'b'] }],
  ['another branch', { anyOf: [text, whole] }, { anyOf: [text, whole, { type: 'boolean' }] }],
  [
    'a longer text in a union',
    { anyOf: [{ ...text, maxLength: 3 }, whole] },
    { anyOf: [{ ...text, maxLength: 5 }, whole] },
  ],
];

function tuple(...prefixItems: readonly Schema[]): Schema {
  return { type: 'array', prefixItems };
}

function patterned(pattern: string, schema: Schema): Schema {
  return { type: 'object', patternProperties: { [pattern]: schema }, additionalProperties: false };
}

/** All cases in one document: comparing two takes a process. */
async function changesOf(cases: readonly Case[], isSent: boolean): Promise<readonly Change[]> {
  const edition = async (side: 1 | 2) => {
    const schemas = Object.fromEntries(cases.map((one, index) => [`Case${index}`, one[side]]));
    const operation = (index: number) => {
      const content = { 'application/json': { schema: { $ref: `#/components/schemas/Case${index}` } } };
      const responses = { 200: { description: 'Done', ...(!isSent && { content }) } };
      return { operationId: `case${index}`, responses, ...(isSent && { requestBody: { required: true, content } }) };
    };
    const paths = cases.map((_, index) => [`/cases/${index}`, { [isSent ? 'post' : 'get']: operation(index) }]);
    const document = {
      openapi: '3.1.0',
      info: { title: 'Cases', version: '1' },
      paths: Object.fromEntries(paths),
      components: { schemas },
    };
    const { edition: read, findings } = await withFolder({ 'openapi.json': JSON.stringify(document) }, readEdition);
    if (!read) throw new Error(findings.find(({ severity }) => severity === 'error')?.message);
    return read;
  };
  return changesBetween(await edition(1), await edition(2));
}

const breaking = (changes: readonly Change[], index: number): readonly string[] =>
  changes
    .filter(({ impact, subject }) => impact === 'major' && /^Case(\d+)/.exec(subject)?.[1] === String(index))
    .map(({ rule, message }) => `${rule}: ${message}`);

describe.each([
  ['in requests', true, SAME, REFUSED],
  ['in requests that accept more', true, WIDER, []],
  ['in answers', false, SAME, ANSWERED],
] as const)('%s', (_, isSent, compatible, breaks) => {
  const cases = [...compatible, ...breaks];
  let changes: readonly Change[];
  beforeAll(async () => {
    changes = await changesOf(cases, isSent);
  });

  test.each(compatible.map(([name], index) => [name, index] as const))('%s breaks nobody', (_name, index) => {
    expect(breaking(changes, index)).toEqual([]);
  });

  if (breaks.length > 0)
    test.each(breaks.map(([name], index) => [name, compatible.length + index] as const))(
      '%s breaks clients',
      (_name, index) => {
        expect(breaking(changes, index)).not.toEqual([]);
      },
    );

  test('every breaking change is of a case', () => {
    const known = cases.flatMap((_one, index) => breaking(changes, index));
    expect(changes.filter(({ impact }) => impact === 'major')).toHaveLength(known.length);
  });
});

const id = { name: 'id', in: 'path', required: true, schema: text };
const answer = (schema?: Schema) => ({
  200: { description: 'Done', content: { 'application/json': schema ? { schema } : {} } },
});
const form = (media: Schema) => ({
  requestBody: {
    required: true,
    content: { 'multipart/form-data': { schema: object({ a: text, b: object({ c: text }) }), ...media } },
  },
  responses: { 204: { description: 'Done' } },
});

/** Path items that change, and whether that breaks clients. */
const ITEMS: readonly (readonly [name: string, before: Schema, after: Schema, breaks: boolean])[] = [
  [
    'a parameter moved to the path item',
    { get: { parameters: [id], responses: answer(text) } },
    { parameters: [id], get: { responses: answer(text) } },
    false,
  ],
  [
    'a parameter of one operation of two moved to the path item',
    {
      get: { parameters: [id], responses: answer(text) },
      put: { parameters: [id, limit(true)], responses: answer(text) },
    },
    { parameters: [id, limit(true)], get: { responses: answer(text) }, put: { responses: answer(text) } },
    true,
  ],
  [
    'the schema of an answer removed',
    { parameters: [id], get: { responses: answer(whole) } },
    { parameters: [id], get: { responses: answer() } },
    true,
  ],
  [
    'the encoding of a part',
    { parameters: [id], post: form({}) },
    { parameters: [id], post: form({ encoding: { b: { contentType: 'text/plain' } } }) },
    true,
  ],
];

function limit(required: boolean) {
  return { name: 'limit', in: 'query', required, schema: whole };
}

describe('a path item with', () => {
  let changes: readonly Change[];
  beforeAll(async () => {
    const edition = async (side: 1 | 2) => {
      const paths = ITEMS.map((one, index) => [`/items${index}/{id}`, named(one[side], index)]);
      const document = { openapi: '3.1.0', info: { title: 'Items', version: '1' }, paths: Object.fromEntries(paths) };
      const { edition: read } = await withFolder({ 'openapi.json': JSON.stringify(document) }, readEdition);
      return read!;
    };
    changes = await changesBetween(await edition(1), await edition(2));
  });

  test.each(ITEMS.map(([name, , , breaks], index) => [name, breaks, index] as const))('%s', (_, breaks, index) => {
    const found = changes.filter(
      ({ impact, location }) => impact === 'major' && location.pointer.includes(`/~1items${index}~1`),
    );
    expect(found.map(({ rule, message }) => `${rule}: ${message}`).join()).toMatch(breaks ? /./ : /^$/);
  });
});

/** With an operationId for each operation. */
const named = (item: Schema, index: number): Schema =>
  Object.fromEntries(
    Object.entries(item).map(([key, value]) => [
      key,
      key === 'parameters' ? value : { operationId: `${key}${index}`, ...(value as object) },
    ]),
  );
