import { branchesOf, flat, takesNull, typesOf, type ValueSchema } from '../../compiler/json-schema/index.ts';
import { withArticle } from '../../descriptor/article.ts';
import type { OpenApiDocument } from '../../descriptor/document.ts';

/** A value that a schema does not allow, and what is wrong with it: `price: too large`. */
export interface InvalidValue {
  readonly label: string;
  readonly value: unknown;
}

/** Stands for a property that is left out. */
const ABSENT = Symbol('absent');

/** A value of every JSON type. GraphQL coerces none of them to another type. */
const OF_TYPE: Readonly<Record<string, unknown>> = { boolean: true, number: 7, string: 'seven', object: { no: 1 } };

/** Every way to make one part of a valid value invalid. */
export function invalidValues(
  document: OpenApiDocument,
  given: ValueSchema | undefined,
  good: unknown,
): InvalidValue[] {
  const schema = flat(document, given);
  const branches = branchesOf(document, schema);
  if (branches.length > 0) return inBranch(document, schema, branches, good);
  if (Array.isArray(good)) return inArray(document, schema, good);
  if (typeof good === 'object' && good !== null) return inObject(document, schema, good as Record<string, unknown>);
  return [];
}

/** Only the variant of the given value is covered here; valid values of the others lead to theirs. */
function inBranch(
  document: OpenApiDocument,
  { discriminator }: ValueSchema,
  branches: readonly ValueSchema[],
  good: unknown,
): InvalidValue[] {
  const name = discriminator?.propertyName;
  const mark = name === undefined ? undefined : (good as Record<string, unknown>)?.[name];
  const isChosen = (branch: ValueSchema): boolean =>
    name === undefined || flat(document, branch.properties?.[name]).const === mark;
  const chosen = branches.find(isChosen);
  return chosen ? invalidValues(document, chosen, good) : [];
}

function inArray(document: OpenApiDocument, schema: ValueSchema, good: readonly unknown[]): InvalidValue[] {
  const [first] = good;
  if (first === undefined) return [];
  const invalid = [...invalidWholes(document, schema.items), ...invalidValues(document, schema.items, first)];
  return invalid
    .filter(({ value }) => value !== ABSENT)
    .map(({ label, value }) => ({ label: `0${join(label)}`, value: [value, ...good.slice(1)] }));
}

function inObject(document: OpenApiDocument, schema: ValueSchema, good: Record<string, unknown>): InvalidValue[] {
  const { properties = {}, required = [] } = schema;
  const values: InvalidValue[] = [{ label: 'unknown property', value: { ...good, noSuchProperty: 1 } }];
  for (const [name, property] of Object.entries(properties)) {
    const missing = required.includes(name) ? [{ label: 'missing', value: ABSENT }] : [];
    const invalid = [
      ...missing,
      ...invalidWholes(document, property),
      ...invalidValues(document, property, good[name]),
    ];
    for (const { label, value } of invalid)
      values.push({ label: `${name}${join(label)}`, value: withProperty(good, name, value) });
  }
  return values;
}

const join = (label: string): string => (/^\w+(?:\.|: )/.test(label) ? `.${label}` : `: ${label}`);

function withProperty(value: Record<string, unknown>, name: string, invalid: unknown): Record<string, unknown> {
  const { [name]: _, ...rest } = value;
  return invalid === ABSENT ? rest : { ...rest, [name]: invalid };
}

/** Values that the schema refuses as a whole, whatever their parts are. */
function invalidWholes(document: OpenApiDocument, given: ValueSchema | undefined): InvalidValue[] {
  const schema = flat(document, given);
  const branches = branchesOf(document, schema);
  if (branches.length === 1) return withNull(document, schema, invalidWholes(document, branches[0]));
  return withNull(document, schema, [...wrongTypes(document, branches[0] ?? schema), ...outOfBounds(document, schema)]);
}

function withNull(document: OpenApiDocument, schema: ValueSchema, values: InvalidValue[]): InvalidValue[] {
  const isKnown = takesNull(document, schema) || values.some(({ label }) => label === 'null');
  return isKnown ? values.filter(({ label }) => label !== 'null') : [{ label: 'null', value: null }, ...values];
}

/**
 * Values of types that the schema does not allow, except where GraphQL coerces them: a single entry becomes a list of
 * one (3.11, input coercion), and a number becomes an id (3.5.5).
 */
function wrongTypes(document: OpenApiDocument, schema: ValueSchema): InvalidValue[] {
  const types = jsonTypesOf(schema);
  if (types.length === 0 || (types.includes('array') && isAnything(document, schema.items))) return [];
  const taken = new Set([...types, ...(types.includes('array') ? jsonTypesOf(flat(document, schema.items)) : [])]);
  if (schema.format === 'uuid') taken.add('number');
  return Object.entries(OF_TYPE)
    .filter(([type]) => !taken.has(type))
    .map(([type, value]) => ({ label: withArticle(type), value }));
}

/** Whether an entry is `JSON` in GraphQL: any value becomes a list of it. */
function isAnything(document: OpenApiDocument, items: ValueSchema | undefined): boolean {
  const entry = flat(document, items);
  const types = jsonTypesOf(entry);
  return branchesOf(document, entry).length > 0 || types.length !== 1 || (types[0] === 'object' && !entry.properties);
}

function jsonTypesOf(schema: ValueSchema): readonly string[] {
  if (schema.properties) return ['object'];
  if (schema.enum && schema.type === undefined) return ['string'];
  return typesOf(schema).map((type) => (type === 'integer' ? 'number' : type));
}

/** Values of the right type that the schema refuses: beyond a bound, in another format, not in the enum. */
export function outOfBounds(document: OpenApiDocument, schema: ValueSchema): InvalidValue[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, items } = schema;
  const values: InvalidValue[] = [];
  if (maximum !== undefined) values.push({ label: 'too large', value: maximum + 1 });
  if (minimum !== undefined) values.push({ label: 'too small', value: minimum - 1 });
  if (typesOf(schema).includes('integer')) values.push({ label: 'a fraction', value: (minimum ?? 0) + 1.5 });
  if (maxLength !== undefined) values.push({ label: 'too long', value: 'x'.repeat(maxLength + 1) });
  if ((minLength ?? 0) > 0) values.push({ label: 'too short', value: '' });
  if (schema.enum) values.push({ label: 'not in the enum', value: 'NO_SUCH_VALUE' });
  else if (schema.pattern ?? schema.format) values.push({ label: 'wrong format', value: '~ no such format ~' });
  const [entry] = [flat(document, items)].flatMap(({ examples, enum: values }) => examples ?? values ?? ['x']);
  if (maxItems !== undefined)
    values.push({ label: 'too many', value: Array.from({ length: maxItems + 1 }, (_, i) => `${entry}${i}`) });
  if ((minItems ?? 0) > 0) values.push({ label: 'too few', value: [] });
  if (schema.uniqueItems) values.push({ label: 'duplicate entries', value: [entry, entry] });
  return values;
}
