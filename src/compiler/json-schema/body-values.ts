import { MAX_OPEN_VALUES } from '../../descriptor/body-values.ts';
import type { OpenApiDocument, Schema } from '../../descriptor/document.ts';
import { nodeAt } from '../../descriptor/references.ts';

/** Values that any body may have: the faults of a small one are reported one by one. */
const MIN_VALUES = 1_000;

const UNBOUNDED = Number.POSITIVE_INFINITY;

/**
 * The most values that a body may have to be parsed: ten times what its schema can hold, but no fewer than 1,000 and no more
 * than 10,000, or what the schema can hold where that is more.
 */
export function maxBodyValues(document: OpenApiDocument, schema: Schema): number {
  const capacity = bodyCapacity(document, schema);
  if (capacity === UNBOUNDED) return MAX_OPEN_VALUES;
  return Math.min(Math.max(10 * capacity, MIN_VALUES), Math.max(MAX_OPEN_VALUES, capacity));
}

type Keywords = Readonly<Record<string, unknown>>;
type Schemas = readonly Schema[];

/**
 * The most values that a body of the schema can have, itself included; infinite where nothing bounds them. An array or
 * object that is empty counts as if it had one.
 */
export function bodyCapacity(document: OpenApiDocument, schema: Schema): number {
  const known = new Map<Schema, number | undefined>();
  const of = (one: Schema): number => (one === false ? 0 : 1 + (within(one) ?? UNBOUNDED));

  /** Undefined where the schema does not say, which leaves it to others that the same value must meet. */
  function within(one: Schema): number | undefined {
    if (typeof one === 'boolean' || known.has(one)) return known.get(one);
    // What contains itself has no bound.
    known.set(one, UNBOUNDED);
    const { $ref, allOf = [], oneOf = [], anyOf = [] } = one as Readonly<Record<string, Schemas>>;
    const target = $ref === undefined ? [] : [(nodeAt(document, String($ref)) ?? true) as Schema];
    const all = [
      own(one),
      ...[...target, ...allOf].map(within),
      largest(oneOf.map(within)),
      largest(anyOf.map(within)),
    ];
    const said = all.filter((count) => count !== undefined);
    known.set(one, said.length === 0 ? undefined : sum(said));
    return known.get(one);
  }

  function own(one: Keywords): number | undefined {
    const types = [one['type'] ?? []].flat();
    const [isObject, isArray] = [types.includes('object'), types.includes('array')];
    if (types.length > 0 ? !isObject && !isArray : isScalar(one)) return 0;
    const isNamed = NAMING.some((keyword) => keyword in one);
    if (!isNamed && !isArray) return 'items' in one ? UNBOUNDED : undefined;
    if (isNamed !== isObject || OPEN.some((keyword) => keyword in one)) return UNBOUNDED;
    return Math.max(1, (isNamed ? inObject(one) : 0) + (isArray ? inArray(one) : 0));
  }

  function inObject({ properties = {}, maxProperties = UNBOUNDED, ...others }: Keywords): number {
    const named = Object.values(properties as Readonly<Record<string, Schema>>).map(of);
    const { additionalProperties = false, unevaluatedProperties = false } = others as Readonly<Record<string, Schema>>;
    return sum(named) + times(maxProperties as number, Math.max(of(additionalProperties), of(unevaluatedProperties)));
  }

  const inArray = ({ items = true, maxItems = UNBOUNDED }: Keywords): number =>
    times(maxItems as number, of(items as Schema));

  return of(schema);
}

const NAMING = ['properties', 'additionalProperties', 'unevaluatedProperties'];
/** Keywords that are rare, and not read. */
const OPEN = ['patternProperties', 'prefixItems', 'if', 'dependentSchemas'];

const isScalar = (schema: Keywords): boolean =>
  [schema['enum'] ?? schema['const'] ?? {}].flat().every((value) => typeof value !== 'object' || value === null);

const largest = (counts: readonly (number | undefined)[]): number | undefined =>
  counts.length === 0 || counts.includes(undefined) ? undefined : Math.max(...(counts as number[]));

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** None of what is unbounded is nothing. */
const times = (count: number, each: number): number => (count === 0 || each === 0 ? 0 : count * each);
