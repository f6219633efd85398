import { describe, expect, it } from 'vitest';
import type { ResourceDescriptor } from '../../../src/descriptor/resource.ts';
import type {
  AccessAlternative,
  CompareCondition,
  RowCondition,
  RuleValue,
} from '../../../src/descriptor/row-access.ts';
import type { Claims, Principal } from '../../../src/runtime/auth/principal.ts';
import { accessRules } from '../../../src/runtime/engine/access/rules.ts';
import type { Condition } from '../../../src/runtime/storage/store.ts';
import { property, resource } from '../../support/descriptors.ts';

const things = resource('things', 'Thing', [
  property('text'),
  property('ref', { type: 'uuid' }),
  property('count', { type: 'integer' }),
  property('big', { type: 'int64' }),
  property('price', { type: 'decimal' }),
  property('ratio', { type: 'number' }),
  property('isOpen', { type: 'boolean' }),
  property('day', { type: 'date' }),
  property('at', { type: 'date-time' }),
  property('data', { type: 'json' }),
]);
const parts = resource('parts', 'Part', [property('thingId', { type: 'uuid' }), property('text')]);

const ruleOf = (...read: readonly AccessAlternative[]) => {
  const ruled: ResourceDescriptor = { ...things, rowAccess: { read } };
  return accessRules(ruled, new Map([ruled, parts].map((one) => [one.key, one])))!.read!;
};
const callerWith = (claims: Claims | undefined, ...scopes: readonly string[]): Principal => ({
  subject: 'me',
  scopes: new Set(scopes),
  expiresAtMs: 0,
  ...(claims && { claims }),
});

const claim = (...path: readonly string[]): RuleValue => ({ claim: path });
const is = (name: string, value: RuleValue, operator: CompareCondition['operator'] = 'eq'): RowCondition => ({
  kind: 'compare',
  property: name,
  operator,
  value,
});
const among = (name: string, ...values: readonly RuleValue[]): RowCondition => ({ kind: 'in', property: name, values });
const not = (condition: RowCondition): RowCondition => ({ kind: 'not', condition });
const all = (...conditions: readonly RowCondition[]): RowCondition => ({ kind: 'all', conditions });
const any = (...conditions: readonly RowCondition[]): RowCondition => ({ kind: 'any', conditions });
const some = (condition: RowCondition): RowCondition => ({
  kind: 'some',
  resource: 'parts',
  property: 'thingId',
  condition,
});

const NOTHING = [{ property: 'id', operator: 'in', value: [] }];
const eq = (name: string, value: string | number): Condition => ({ property: name, operator: 'eq', value });
const found = (where: RowCondition, claims: Claims): readonly Condition[] =>
  ruleOf({ where }).conditionsFor(callerWith(claims));

const UUID = '0A000000-0000-7000-8000-00000000000B';

describe('a claim', () => {
  it.each([
    ['text', 'a', 'a'],
    ['ref', UUID, UUID.toLowerCase()],
    ['count', 7, 7],
    ['big', '9007199254740993', '9007199254740993'],
    ['big', 12, '12'],
    ['price', '1.50', '1.50'],
    ['price', 1.5, '1.5'],
    ['ratio', 0.1, 0.1],
    ['isOpen', true, 1],
    ['isOpen', false, 0],
    ['day', '2026-01-31', '2026-01-31'],
    ['at', '2026-01-31T12:00:00+02:00', '2026-01-31T10:00:00.000Z'],
  ])('of the type of %s is compared as rows have it: %j', (name, value, stored) => {
    expect(found(is(name, claim('it')), { it: value })).toEqual([eq(name, stored)]);
  });

  const WRONG = [
    ['text', 7],
    ['text', ['a']],
    ['text', null],
    ['text', 'a\0b'],
    ['text', '\ud800'],
    ['ref', 'no-uuid'],
    ['ref', 7],
    ['count', '7'],
    ['count', 1.5],
    ['count', 2 ** 53],
    ['big', '9223372036854775808'],
    ['big', 2 ** 53],
    ['price', 'ten'],
    ['ratio', '0.1'],
    ['isOpen', 'true'],
    ['isOpen', 1],
    ['day', '2026-02-30'],
    ['at', '2026-01-31'],
    ['at', '2026-01-31T12:00:00.0001Z'],
  ] as const;
  it.each(WRONG)('of another type than %s satisfies nothing, negated or not: %j', (name, value) => {
    for (const claims of [{ it: value }, {}])
      for (const where of [
        is(name, claim('it')),
        not(is(name, claim('it'))),
        not(not(is(name, claim('it')))),
        among(name, claim('it'), claim('it')),
        not(among(name, claim('it'))),
        not(any(is(name, claim('it')))),
      ])
        if (!Array.isArray(value) || where.kind === 'compare') expect(found(where, claims)).toEqual(NOTHING);
  });

  it('is found by its path, among its own members alone', () => {
    const where = is('text', claim('realm', 'team'));
    expect(found(where, { realm: { team: 'a' } })).toEqual([eq('text', 'a')]);
    for (const realm of [undefined, null, 'team', ['a'], {}, { team: undefined }])
      expect(found(where, { realm })).toEqual(NOTHING);
    for (const path of [['constructor', 'name'], ['__proto__'], ['toString', 'name'], ['it', 'length'], ['it', '0']])
      expect(found(is('text', claim(...path)), { it: 'a' })).toEqual(NOTHING);
  });

  it('is missing for callers without a token, but for the subject of other credentials', () => {
    const rule = ruleOf({ where: is('text', claim('sub')) });
    expect(rule.conditionsFor(undefined)).toEqual(NOTHING);
    expect(rule.conditionsFor(callerWith(undefined))).toEqual([eq('text', 'me')]);
    expect(ruleOf({ where: not(is('text', claim('sub'))) }).conditionsFor(undefined)).toEqual(NOTHING);
  });

  it('that is a list stands for each of its values in `in`, and for none elsewhere', () => {
    const where = among('text', claim('it'), { literal: 'x' });
    expect(found(where, { it: ['b', 'a', 'b'] })).toEqual([
      { kind: 'all', conditions: [{ property: 'text', operator: 'in', value: ['a', 'b', 'x', 'x'] }] },
    ]);
    expect(found(where, { it: [] })).toEqual([eq('text', 'x')]);
    expect(found(where, { it: ['a', 7] })).toEqual(NOTHING);
    expect(found(among('text', claim('it')), { it: [] })).toEqual(NOTHING);
    expect(found(not(among('text', claim('it'))), { it: [] })).toEqual([]);
  });

  it('that is an empty text is within no text', () => {
    expect(found(is('text', claim('it'), 'contains'), { it: '' })).toEqual(NOTHING);
    expect(found(not(is('text', claim('it'), 'contains')), { it: '' })).toEqual(NOTHING);
  });
});

describe('a missing claim', () => {
  const missing = is('text', claim('it'));
  const present = is('count', { literal: 1 });
  const related = (conditions: readonly Condition[], isNone = false): readonly Condition[] => [
    { kind: 'related', property: 'id', resource: 'parts', relatedProperty: 'thingId', conditions, isNone },
  ];

  it.each([
    ['one of several', all(present, missing), NOTHING],
    ['an alternative', any(present, missing), [eq('count', 1)]],
    ['a negated alternative', not(any(present, missing)), NOTHING],
    ['a negated conjunction', not(all(present, missing)), [{ kind: 'not', comparison: eq('count', 1) }]],
    ['what some row has', some(missing), NOTHING],
    ['what no row has', not(some(missing)), NOTHING],
    ['an alternative of what no row has', not(some(any(missing, is('text', { literal: 'x' })))), NOTHING],
    ['what no row has, twice negated', not(not(some(missing))), NOTHING],
    ['what no row lacks', not(some(not(missing))), NOTHING],
  ])('does not make %s hold', (_name, where, expected) => {
    expect(found(where, {})).toEqual(expected);
  });

  it('leaves other conditions on related rows as they are', () => {
    expect(found(some(any(missing, is('text', { literal: 'x' }))), {})).toEqual(related([eq('text', 'x')]));
    expect(found(not(some(all())), {})).toEqual(related([], true));
    expect(found(not(some(any())), {})).toEqual([]);
  });
});

describe('the alternatives of a rule', () => {
  const mine = is('text', claim('sub'));

  it('hold where their scope and their condition do', () => {
    const rule = ruleOf({ scope: 'all' }, { scope: 'own', where: mine });
    expect(rule.conditionsFor(callerWith({ sub: 'me' }, 'all'))).toEqual([]);
    expect(rule.conditionsFor(callerWith({ sub: 'me' }, 'own'))).toEqual([eq('text', 'me')]);
    expect(rule.conditionsFor(callerWith({ sub: 'me' }))).toEqual(NOTHING);
    expect(rule.conditionsFor(undefined)).toEqual(NOTHING);
    expect(ruleOf().conditionsFor(callerWith({}, 'all'))).toEqual(NOTHING);
    expect(ruleOf({}).conditionsFor(undefined)).toEqual([]);
  });

  it('are joined where several may hold, and are the same for callers with the same claims that they read', () => {
    const rule = ruleOf({ where: mine }, { where: is('isOpen', { literal: true }) });
    const conditions = rule.conditionsFor(callerWith({ sub: 'me', other: 1 }));
    expect(conditions).toEqual([{ kind: 'any', conditions: [eq('text', 'me'), eq('isOpen', 1)] }]);
    expect(rule.conditionsFor(callerWith({ sub: 'me', other: 2 }))).toEqual(conditions);
    expect(rule.conditionsFor(undefined)).toEqual([eq('isOpen', 1)]);
  });

  it('say what they read, of the row and of others', () => {
    const { properties, reads } = ruleOf({ where: all(mine, some(is('text', claim('sub')))) });
    expect([...properties]).toEqual(['text']);
    expect([...reads]).toEqual([
      ['parts', { properties: new Set(['thingId', 'text']), isListed: true, isFollowed: false }],
    ]);
  });

  it.each([
    ['a literal that is no value', is('count', { literal: 'many' })],
    ['an order of decimals', is('price', { literal: '1' }, 'gt')],
    ['an order of booleans', is('isOpen', { literal: true }, 'gt')],
    ['a text within a number', is('count', { literal: 1 }, 'contains')],
    ['a value of JSON', is('data', { literal: 'x' })],
    ['a property that is not there', is('absent', { literal: 'x' })],
  ])('cannot be compiled with %s', (_name, where) => {
    expect(() => ruleOf({ where })).toThrow();
  });
});
