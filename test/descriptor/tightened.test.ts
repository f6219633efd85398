import { describe, expect, it } from 'vitest';
import type { Schema } from '../../src/descriptor/document.ts';
import { contractRecord, standingOf } from '../../src/descriptor/migration/contract-record.ts';
import { rowShapesOf } from '../../src/descriptor/migration/row-shapes.ts';
import { tightened } from '../../src/descriptor/migration/tightened.ts';
import { thingContract } from '../support/thing-contracts.ts';

const text = (rules: object = {}): Schema => ({ type: 'string', ...rules });
const object = (properties: object, rules: object = {}): Schema => ({ type: 'object', properties, ...rules });

/** The shapes of `things`, whose `value` has the schema, in a document with further schemas. */
function shapes(schema: Schema, others: Readonly<Record<string, Schema>> = {}, isRequired = true) {
  const { document, resources } = thingContract({ value: schema }, { required: isRequired ? ['value'] : [] });
  const components = { schemas: { ...document.components!.schemas, ...others } };
  return rowShapesOf({ ...document, components }, resources);
}

const TREE = { $ref: '#/components/schemas/Tree' };
const tree = (rules: object) => ({ Tree: object({ name: text(rules), children: { type: 'array', items: TREE } }) });

/** Pairs of schemas: each value of the first one meets the second one, but not the other way round. */
const LOOSER: readonly (readonly [string, Schema, Schema])[] = [
  ['no rules', text({ maxLength: 2, pattern: 'a' }), true],
  ['a longer text', text({ maxLength: 1, minLength: 1 }), text({ maxLength: 2 })],
  ['wider bounds', { type: 'integer', minimum: 1, maximum: 9 }, { type: 'integer', minimum: 0, maximum: 10 }],
  ['more values', text({ enum: ['b', 'a'] }), text({ enum: ['a', 'b', 'c'] })],
  ['null as well', text(), { type: ['string', 'null'] }],
  ['numbers, not only integers', { type: 'integer' }, { type: 'number' }],
  ['another property of an object', object({ a: text() }), object({ a: text(), b: text() })],
  ['a property that may be left out', object({ a: text() }, { required: ['a'] }), object({ a: text() })],
  ['longer items', { type: 'array', items: text({ maxLength: 1 }) }, { type: 'array', items: text({ maxLength: 2 }) }],
  ['a looser branch', { anyOf: [text({ maxLength: 1 }), { type: 'null' }] }, { anyOf: [text(), { type: 'null' }] }],
  ['no pattern', text({ pattern: 'a' }), text()],
  ['no format', text({ format: 'email' }), text()],
];

describe('a contract that allows', () => {
  it.each(LOOSER)('%s is not stricter, and the other way round it is', (_, stricter, looser) => {
    expect(tightened(shapes(stricter), shapes(looser), 'things')).toBeUndefined();
    expect(tightened(shapes(looser), shapes(stricter), 'things')).toEqual({ properties: ['value'], isWhole: false });
  });

  it.each([
    ['the same', text({ enum: ['a', 'b'] }), text({ enum: ['b', 'a'] })],
    ['the same in other words for people', text(), text({ description: 'A text.', examples: ['a'], 'x-unique': true })],
    ['the same by a reference', TREE, TREE],
  ])('%s is not stricter', (_, before, now) => {
    expect(tightened(shapes(before, tree({})), shapes(now, tree({})), 'things')).toBeUndefined();
  });

  it('less where a schema contains itself is stricter', () => {
    const [short, long] = [shapes(TREE, tree({ maxLength: 1 })), shapes(TREE, tree({ maxLength: 2 }))];
    expect(tightened(short, long, 'things')).toBeUndefined();
    expect(tightened(long, short, 'things')).toEqual({ properties: ['value'], isWhole: false });
  });

  it('less because a property is required is stricter', () => {
    expect(tightened(shapes(text()), shapes(text(), {}, false), 'things')).toBeUndefined();
    expect(tightened(shapes(text(), {}, false), shapes(text()), 'things')?.properties).toEqual(['value']);
  });

  it('something else, of which it cannot be told, counts as stricter', () => {
    const before = shapes(text({ not: { const: 'a' } }));
    expect(tightened(before, shapes(text({ not: { const: 'b' } })), 'things')).toBeDefined();
    expect(tightened(undefined, before, 'things')?.isWhole).toBe(true);
  });
});

describe('a contract beside those that a database was served by', () => {
  const recordOf = (name: Schema, version: string) => {
    const { document, resources } = thingContract({ name }, { version });
    return contractRecord(document, resources);
  };
  const [first, second] = [recordOf(text(), '1.9.0'), recordOf(text({ maxLength: 9 }), '1.10.0')];

  it.each([
    ['newer', second, [first]],
    ['older', first, [first, second]],
    ['older', first, [second]],
    ['same', second, [first, second]],
    ['newer', first, []],
    // The same tables and rows under another version.
    ['newer', recordOf(text({ maxLength: 9 }), '2.0.0'), [first, second]],
    ['same', recordOf(text({ maxLength: 9 }), '1.0.0'), [first, second]],
    // The same version: told apart by what was served before.
    ['newer', recordOf(text({ maxLength: 8 }), '1.10.0'), [first, second]],
    ['older', second, [second, recordOf(text({ maxLength: 8 }), '1.10.0')]],
    ['newer', recordOf(text({ maxLength: 8 }), 'autumn'), [recordOf(text(), 'spring')]],
  ] as const)('is %s', (standing, contract, recorded) => {
    expect(standingOf(contract, recorded)).toBe(standing);
  });
});
