import { hash } from 'node:crypto';
import { lookUp } from '../../../descriptor/look-up.ts';
import type { PropertyDescriptor, PropertyType, ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { FieldAction } from '../../../descriptor/row-access.ts';
import { type MaybePromise, whenKnown } from '../../async/maybe-promise.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Comparison, Condition, Reader, Row, StoredValue } from '../../storage/store.ts';
import type { AccessRule, FieldRules, FieldView, Permission, ReadableFields, RowTest } from '../resource/access.ts';
import type { Resource } from '../resource/resource.ts';
import { RowEntity } from '../resource/row-codec.ts';
import { perCaller } from './filter.ts';
import { compiledRule } from './rules.ts';

/** Undefined for resources whose properties have no rules; `descriptors` are those of all resources, by key. */
export function fieldRules(
  { key, properties }: ResourceDescriptor,
  descriptors: ReadonlyMap<string, ResourceDescriptor>,
): FieldRules | undefined {
  const rulesOf = (action: FieldAction): ReadonlyMap<string, AccessRule> =>
    new Map(
      properties.flatMap(({ name, access }) => {
        const alternatives = access?.[action];
        return alternatives ? [[name, compiledRule(key, alternatives, descriptors)] as const] : [];
      }),
    );
  const [read, write] = [rulesOf('read'), rulesOf('write')];
  if (read.size + write.size === 0) return undefined;
  const permission = (rule: AccessRule, principal: Principal | undefined): Permission => {
    const conditions = rule.conditionsFor(principal);
    return { conditions, test: rowTest(properties, conditions) };
  };
  const viewOf = (principal: Principal | undefined): FieldView | undefined => {
    const limited = new Map<string, ReadableFields>();
    for (const [name, rule] of read) {
      const { conditions, test } = permission(rule, principal);
      if (conditions.length === 0) continue;
      const text = JSON.stringify(conditions);
      const names = [...(limited.get(text)?.names ?? []), name];
      limited.set(text, { names, conditions, test });
    }
    if (limited.size === 0) return undefined;
    const view = [...limited.values()];
    return { limited: view, key: JSON.stringify(view.map(({ names, conditions }) => [names, conditions])) };
  };
  const tags = new Map<string, string>();
  return {
    written: [...write.keys()],
    reads: [...read.values()].flatMap((rule) => [...rule.reads]),
    viewFor: perCaller(viewOf),
    permissionToWrite: (property, principal) => permission(lookUp(write, property), principal),
    tagOf(hidden) {
      const text = hidden.join();
      const tag = tags.get(text) ?? hash('sha1', text, 'base64url').slice(0, 8);
      tags.set(text, tag);
      return tag;
    },
  };
}

/**
 * Rows as a caller sees them: what it may not read of each is null. Takes a statement for each rule that reads other
 * rows.
 */
export function shownAll(
  reader: Reader,
  resource: Resource,
  rows: readonly Row[],
  principal: Principal | undefined,
): MaybePromise<readonly RowEntity[]> {
  const view = resource.fields?.viewFor(principal);
  if (!view || rows.length === 0) return rows.map((row) => new RowEntity(resource, row));
  return whenKnown(hiddenIn(reader, resource, rows, view), (hidden) =>
    rows.map((row, at) => masked(resource, row, hidden[at]!)),
  );
}

/** `shownAll` of one row. */
export function shown(
  reader: Reader,
  resource: Resource,
  row: Row,
  principal: Principal | undefined,
): MaybePromise<RowEntity> {
  if (!resource.fields) return new RowEntity(resource, row);
  return whenKnown(shownAll(reader, resource, [row], principal), ([entity]) => entity!);
}

/** The properties of a row that a caller may not read. */
export function hiddenOf(
  reader: Reader,
  resource: Resource,
  row: Row,
  principal: Principal | undefined,
): MaybePromise<readonly string[]> {
  const view = resource.fields?.viewFor(principal);
  return view ? whenKnown(hiddenIn(reader, resource, [row], view), ([hidden]) => hidden!) : [];
}

/** Whether a permission holds for each of the rows, by the values given here. */
export function permits(
  reader: Reader,
  { descriptor: { key } }: Resource,
  rows: readonly Row[],
  { conditions, test }: Permission,
): MaybePromise<readonly boolean[]> {
  return test ? rows.map(test) : reader.meetEach(key, rows, conditions);
}

/** The names of what is hidden of each row, in one order. */
function hiddenIn(
  reader: Reader,
  resource: Resource,
  rows: readonly Row[],
  { limited }: FieldView,
): MaybePromise<readonly (readonly string[])[]> {
  const hidden = rows.map((): string[] => []);
  const ask = (from: number): MaybePromise<readonly (readonly string[])[]> => {
    const fields = limited[from];
    if (!fields) return hidden;
    return whenKnown(permits(reader, resource, rows, fields), (readable) => {
      for (const [at, names] of hidden.entries()) if (!readable[at]) names.push(...fields.names);
      return ask(from + 1);
    });
  };
  return ask(0);
}

function masked(resource: Resource, row: Row, hidden: readonly string[]): RowEntity {
  if (hidden.length === 0) return new RowEntity(resource, row);
  const values = [...row];
  for (const name of hidden) values[resource.index(name)] = null;
  return new RowEntity(resource, values, resource.fields!.tagOf(hidden.toSorted()));
}

/** Types whose values are equal where what is stored is. */
const EQUAL_AS_STORED: ReadonlySet<PropertyType> = new Set([
  'string',
  'uuid',
  'integer',
  'int64',
  'number',
  'boolean',
  'date',
  'date-time',
]);

/** Types whose stored values JavaScript orders as databases do. */
const ORDERED_AS_STORED: ReadonlySet<PropertyType> = new Set(['integer', 'number', 'date', 'date-time']);

/**
 * Tests rows in memory by conditions that must all hold; undefined where only the database can: by other rows, or
 * by what it compares in ways of its own.
 */
export const rowTest = (
  properties: readonly PropertyDescriptor[],
  conditions: readonly Condition[],
): RowTest | undefined => testOf(properties, { kind: 'all', conditions });

function testOf(properties: readonly PropertyDescriptor[], condition: Condition): RowTest | undefined {
  switch (condition.kind) {
    case 'related':
      return undefined;
    case 'not': {
      const holds = comparisonTest(properties, condition.comparison);
      return holds && ((row) => !holds(row));
    }
    case 'all':
    case 'any': {
      const tests = condition.conditions.flatMap((one) => testOf(properties, one) ?? []);
      if (tests.length < condition.conditions.length) return undefined;
      return condition.kind === 'all'
        ? (row) => tests.every((test) => test(row))
        : (row) => tests.some((test) => test(row));
    }
    default:
      return comparisonTest(properties, condition);
  }
}

function comparisonTest(properties: readonly PropertyDescriptor[], { property, operator, value }: Comparison) {
  const at = properties.findIndex(({ name }) => name === property);
  const { type } = properties[at]!;
  if (operator === 'eq' && value === null) return (row: Row) => row[at] === null;
  if (operator === 'eq' || operator === 'in') {
    const values = new Set(operator === 'in' ? (value as readonly StoredValue[]) : [value as StoredValue]);
    return EQUAL_AS_STORED.has(type) || values.size === 0 ? (row: Row) => values.has(row[at]!) : undefined;
  }
  const compare = ORDERED_AS_STORED.has(type) ? COMPARISONS[operator] : undefined;
  return compare && ((row: Row) => row[at] !== null && compare(row[at]!, value as string | number));
}

const COMPARISONS: Partial<Record<Comparison['operator'], (own: string | number, value: string | number) => boolean>> =
  {
    gt: (own, value) => own > value,
    gte: (own, value) => own >= value,
    lt: (own, value) => own < value,
    lte: (own, value) => own <= value,
  };
