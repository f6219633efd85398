import { MAX_OPEN_VALUES } from '../../descriptor/body-limits.ts';
import { type ContentKind, isBinary } from '../../descriptor/content.ts';
import type { OpenApiDocument, Schema } from '../../descriptor/document.ts';
import { nodeAt } from '../../descriptor/references.ts';
import { type FlatSchema, flattenSchema } from './flat-schema.ts';

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
export const bodyCapacity = (document: OpenApiDocument, schema: Schema): number =>
  capacityOf(document, schema, { scalar: () => 0, name: () => 0 });

/** The most bytes of JSON that a value of the schema can have, about: a character counts as one. Infinite where nothing bounds them. */
export const largestJson = (document: OpenApiDocument, schema: Schema): number =>
  capacityOf(document, schema, { scalar: scalarBytes, name: (name) => name.length + 3 });

/** How values count beyond the one that each is. */
interface Weights {
  readonly scalar: (schema: Keywords) => number;
  readonly name: (name: string) => number;
}

const BYTES: Readonly<Record<string, number>> = { integer: 17, number: 24, boolean: 5, null: 4 };
const FORMAT_BYTES: Readonly<Record<string, number>> = { uuid: 38, date: 12, 'date-time': 37, int64: 22 };

function scalarBytes({ type, format, maxLength = UNBOUNDED, ...one }: Keywords): number {
  const listed = [one['enum'] ?? one['const'] ?? []].flat();
  if (listed.length > 0) return Math.max(...listed.map((value) => JSON.stringify(value).length));
  const text = FORMAT_BYTES[String(format)] ?? (maxLength as number) + 2;
  return Math.max(0, ...[type ?? []].flat().map((name) => (name === 'string' ? text : (BYTES[String(name)] ?? 0))));
}

function capacityOf(document: OpenApiDocument, schema: Schema, { scalar, name: nameWeight }: Weights): number {
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
    if (types.length > 0 ? !isObject && !isArray : isScalar(one)) return scalar(one);
    const isNamed = NAMING.some((keyword) => keyword in one);
    if (!isNamed && !isArray) return 'items' in one ? UNBOUNDED : undefined;
    if (isNamed !== isObject || OPEN.some((keyword) => keyword in one)) return UNBOUNDED;
    return Math.max(1, (isNamed ? inObject(one) : 0) + (isArray ? inArray(one) : 0));
  }

  function inObject({ properties = {}, maxProperties = UNBOUNDED, ...others }: Keywords): number {
    const each = Object.entries(properties as Readonly<Record<string, Schema>>);
    const named = each.map(([name, property]) => nameWeight(name) + of(property)).sort((a, b) => b - a);
    const { additionalProperties = false, unevaluatedProperties = false } = others as Readonly<Record<string, Schema>>;
    return (
      sum(named.slice(0, maxProperties as number)) +
      times(maxProperties as number, Math.max(of(additionalProperties), of(unevaluatedProperties)))
    );
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

/** Room for the delimiter and the header fields of a part of a multipart body, and for the last delimiter. */
const PART_HEAD_BYTES = 1_024;

/** A character has so many bytes at most (RFC 3629, 3). */
const CHARACTER_BYTES = 4;

/**
 * The most bytes of a body that its schema allows: `maxLength` of a binary body; of `multipart/form-data`, what its parts come to
 * with their heads, if each has a `maxLength`. Undefined for any other body.
 */
export function maxBodyBytes(document: OpenApiDocument, kind: ContentKind, schema: Schema): number | undefined {
  if (kind !== 'binary' && kind !== 'multipart') return undefined;
  const flat = flattenSchema(document, schema);
  if (kind === 'binary') return leastOf(flat, 'maxLength');
  if (flat.properties.size === 0) return undefined;
  return total([...flat.properties.values()].map(({ schemas }) => partBytes(document, schemas)));
}

/** The most bytes of the parts of one name: a list is sent as a part for each item (OpenAPI 3.1, 4.8.15.3). */
function partBytes(document: OpenApiDocument, schemas: readonly Schema[]): number | undefined {
  const flat = flattenSchema(document, ...schemas);
  const items = flat.keywords.get('items')?.value as Schema | undefined;
  const [count, one] = items === undefined ? [1, flat] : [leastOf(flat, 'maxItems'), flattenSchema(document, items)];
  const length = leastOf(one, 'maxLength');
  if (count === undefined || length === undefined) return undefined;
  const isBytes = one.nodes.some((node) => isBinary(document, node as Schema));
  return count * (length * (isBytes ? 1 : CHARACTER_BYTES) + PART_HEAD_BYTES);
}

/** The least of a bound that several schemas of a value may set. */
function leastOf({ nodes }: FlatSchema, bound: 'maxLength' | 'maxItems'): number | undefined {
  const bounds = nodes.map((node) => Reflect.get(node, bound) as unknown).filter((one) => typeof one === 'number');
  return bounds.length === 0 ? undefined : Math.min(...bounds);
}

const total = (counts: readonly (number | undefined)[]): number | undefined =>
  counts.reduce((sum, count) => (sum === undefined || count === undefined ? undefined : sum + count), PART_HEAD_BYTES);
