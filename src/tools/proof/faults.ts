import type { OpenApiDocument } from '../../descriptor/document.ts';
import { branchesOf, flat, takesNull, typesOf, type ValueSchema } from '../synthetic/schema.ts';

/** A value that a schema does not describe, and what is wrong with it: `price: out of range`. */
export interface Fault {
  readonly label: string;
  readonly value: unknown;
}

/** Stands for a property that is left out. */
const ABSENT = Symbol('absent');

/** Values of every JSON type that GraphQL does not coerce to another. */
const OF_TYPE: Readonly<Record<string, unknown>> = { boolean: true, number: 7, string: 'seven', object: { no: 1 } };

/** Every way to spoil one place of a good value. */
export function faultsIn(document: OpenApiDocument, given: ValueSchema | undefined, good: unknown): Fault[] {
  const schema = flat(document, given);
  const branches = branchesOf(document, schema);
  if (branches.length > 0) return inBranch(document, schema, branches, good);
  if (Array.isArray(good)) return inArray(document, schema, good);
  if (typeof good === 'object' && good !== null) return inObject(document, schema, good as Record<string, unknown>);
  return [];
}

/** Good values of every variant lead to faults of every variant; here, those of the one that was chosen. */
function inBranch(
  document: OpenApiDocument,
  { discriminator }: ValueSchema,
  branches: readonly ValueSchema[],
  good: unknown,
): Fault[] {
  const name = discriminator?.propertyName;
  const mark = name === undefined ? undefined : (good as Record<string, unknown>)?.[name];
  const isChosen = (branch: ValueSchema): boolean =>
    name === undefined || flat(document, branch.properties?.[name]).const === mark;
  const chosen = branches.find(isChosen);
  return chosen ? faultsIn(document, chosen, good) : [];
}

function inArray(document: OpenApiDocument, schema: ValueSchema, good: readonly unknown[]): Fault[] {
  const [first] = good;
  if (first === undefined) return [];
  const spoilt = [...scalarFaults(document, schema.items), ...faultsIn(document, schema.items, first)];
  return spoilt
    .filter(({ value }) => value !== ABSENT)
    .map(({ label, value }) => ({ label: `0${join(label)}`, value: [value, ...good.slice(1)] }));
}

function inObject(document: OpenApiDocument, schema: ValueSchema, good: Record<string, unknown>): Fault[] {
  const { properties = {}, required = [] } = schema;
  const faults: Fault[] = [{ label: 'unknown property', value: { ...good, noSuchProperty: 1 } }];
  for (const [name, property] of Object.entries(properties)) {
    const missing = required.includes(name) ? [{ label: 'missing', value: ABSENT }] : [];
    const spoilt = [...missing, ...scalarFaults(document, property), ...faultsIn(document, property, good[name])];
    for (const { label, value } of spoilt)
      faults.push({ label: `${name}${join(label)}`, value: withProperty(good, name, value) });
  }
  return faults;
}

const join = (label: string): string => (/^\w+(?:\.|: )/.test(label) ? `.${label}` : `: ${label}`);

function withProperty(value: Record<string, unknown>, name: string, spoilt: unknown): Record<string, unknown> {
  const { [name]: _, ...rest } = value;
  return spoilt === ABSENT ? rest : { ...rest, [name]: spoilt };
}

/** Values that the schema itself refuses, whatever stands in its parts. */
function scalarFaults(document: OpenApiDocument, given: ValueSchema | undefined): Fault[] {
  const schema = flat(document, given);
  const branches = branchesOf(document, schema);
  if (branches.length === 1) return withNull(document, schema, scalarFaults(document, branches[0]));
  return withNull(document, schema, [...wrongTypes(document, branches[0] ?? schema), ...outOfBounds(document, schema)]);
}

function withNull(document: OpenApiDocument, schema: ValueSchema, faults: Fault[]): Fault[] {
  const isKnown = takesNull(document, schema) || faults.some(({ label }) => label === 'null');
  return isKnown ? faults.filter(({ label }) => label !== 'null') : [{ label: 'null', value: null }, ...faults];
}

/**
 * For a list none of its entries' types, either: GraphQL takes one entry for a list of one (3.11, input coercion).
 * For an id no number: GraphQL takes it for its digits (3.5.5).
 */
function wrongTypes(document: OpenApiDocument, schema: ValueSchema): Fault[] {
  const types = jsonTypesOf(schema);
  if (types.length === 0) return [];
  const taken = new Set([...types, ...(types.includes('array') ? jsonTypesOf(flat(document, schema.items)) : [])]);
  if (schema.format === 'uuid') taken.add('number');
  return Object.entries(OF_TYPE)
    .filter(([type]) => !taken.has(type))
    .map(([type, value]) => ({ label: `a ${type}`, value }));
}

function jsonTypesOf(schema: ValueSchema): readonly string[] {
  if (schema.properties) return ['object'];
  if (schema.enum && schema.type === undefined) return ['string'];
  return typesOf(schema).map((type) => (type === 'integer' ? 'number' : type));
}

function outOfBounds(document: OpenApiDocument, schema: ValueSchema): Fault[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, items } = schema;
  const faults: Fault[] = [];
  if (maximum !== undefined) faults.push({ label: 'too great', value: maximum + 1 });
  if (minimum !== undefined) faults.push({ label: 'too small', value: minimum - 1 });
  if (typesOf(schema).includes('integer')) faults.push({ label: 'a fraction', value: (minimum ?? 0) + 1.5 });
  if (maxLength !== undefined) faults.push({ label: 'too long', value: 'x'.repeat(maxLength + 1) });
  if ((minLength ?? 0) > 0) faults.push({ label: 'too short', value: '' });
  if (schema.enum) faults.push({ label: 'no value of the enum', value: 'NO_SUCH_VALUE' });
  else if (schema.pattern ?? schema.format) faults.push({ label: 'in no such format', value: '~ no such format ~' });
  const [entry] = [flat(document, items)].flatMap(({ examples, enum: values }) => examples ?? values ?? ['x']);
  if (maxItems !== undefined)
    faults.push({ label: 'too many', value: Array.from({ length: maxItems + 1 }, (_, i) => `${entry}${i}`) });
  if ((minItems ?? 0) > 0) faults.push({ label: 'too few', value: [] });
  if (schema.uniqueItems) faults.push({ label: 'twice the same', value: [entry, entry] });
  return faults;
}
