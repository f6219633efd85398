import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import { RANGE_OPERATORS } from '../../../descriptor/filters.ts';
import { isImpliedPattern } from '../../../descriptor/implied-patterns.ts';
import { isNullSchema, nullUnion } from '../../../descriptor/null-union.ts';
import { isPlainObject } from '../../../descriptor/plain-object.ts';
import { isReference, nodeAt } from '../../../descriptor/references.ts';
import type { FlatSchema } from '../../json-schema/flat-schema.ts';
import { flatSchema } from '../schemas.ts';

export type ToolSchema = Readonly<Record<string, unknown>>;

/** Keywords that every host takes. What is left out, the engine validates all the same. */
const KEPT = [
  'description',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'default',
] as const;

/** A schema of what callers send, in the words that every host takes: no references, no `oneOf`, null by `anyOf`. */
export const toolSchema = (document: OpenApiDocument, schema: Schema): ToolSchema =>
  schemaOf(document, schema, { shown: 0, most: 2 });

/** Of a query: what is inside it needs no words or bounds to be understood, and lists of tools are paid for by their length. */
export const briefSchema = (document: OpenApiDocument, schema: Schema): ToolSchema =>
  brief(schemaOf(document, schema, { shown: 0, most: 1 })) as ToolSchema;

const BRIEF = new Set(['type', 'enum', 'format', 'properties', 'items', 'anyOf', 'required']);
const BOUNDS = new Set(['minimum', 'maximum', 'default', 'description']);

function brief(schema: unknown, depth = 0): unknown {
  if (!isPlainObject(schema)) return schema;
  const kept = Object.entries(schema).filter(
    ([keyword, value]) => BRIEF.has(keyword) || (depth === 0 && BOUNDS.has(keyword) && value !== MAX_INT32),
  );
  return Object.fromEntries(
    kept.map(([keyword, value]) => {
      if (keyword === 'properties')
        return [keyword, briefProperties(value as Readonly<Record<string, ToolSchema>>, depth)];
      if (keyword === 'anyOf') return [keyword, (value as readonly unknown[]).map((one) => brief(one, depth + 1))];
      return [keyword, brief(value, depth + 1)];
    }),
  );
}

/** The operands of a range are of one format, which the first of them has. */
function briefProperties(properties: Readonly<Record<string, ToolSchema>>, depth: number): ToolSchema {
  const isRange = Object.keys(properties).every((name) => RANGE_OPERATORS.includes(name));
  return Object.fromEntries(
    Object.entries(properties).map(([name, { format, ...others }], i) => [
      ...[name, brief(isRange && i > 0 ? others : { ...others, ...(format !== undefined && { format }) }, depth + 1)],
    ]),
  );
}

const MAX_INT32 = 2 ** 31 - 1;

/** How many levels of recurring schemas a schema is within, and how many are shown at most: what leads to each other says the same again. */
interface Levels {
  readonly shown: number;
  readonly most: number;
}

function schemaOf(document: OpenApiDocument, schema: Schema, levels: Levels): ToolSchema {
  if (!isPlainObject(schema)) return {};
  const flat = flatSchema(document, schema);
  const recurs = flat.nodes.some((one) => isWithinItself(document, one));
  if (recurs && levels.shown >= levels.most) return typeAlone(flat);
  const below = recurs ? { ...levels, shown: levels.shown + 1 } : levels;
  const value = (keyword: string): unknown => flat.keywords.get(keyword)?.value;
  const types = [value('type') ?? []].flat().filter((type) => type !== 'null');
  const kept = KEPT.flatMap((keyword) => (flat.keywords.has(keyword) ? [[keyword, value(keyword)]] : []));
  const facts: Record<string, unknown> = {
    ...Object.fromEntries(kept),
    ...patternOf(value('pattern'), value('format')),
  };
  const values = flat.keywords.has('const') ? [value('const')] : (value('enum') as readonly unknown[] | undefined);
  if (values) facts['enum'] = values.filter((one) => one !== null);
  if (flat.keywords.has('items')) facts['items'] = schemaOf(document, value('items') as Schema, below);
  Object.assign(facts, objectFacts(document, flat, below));
  const alternatives = alternativesOf(document, flat, below);
  const { description, default: fallback, ...own } = facts;
  const said = {
    ...(description !== undefined && { description }),
    ...(fallback !== undefined && { default: fallback }),
  };
  const branches = types.length > 1 ? types.map((type) => ({ type, ...own })) : alternatives;
  const one = branches ? { anyOf: branches } : { ...(types.length === 1 && { type: types[0] }), ...own };
  if (!flat.nullable) return { ...one, ...said };
  return { anyOf: [...(branches ?? [one]), { type: 'null' }], ...said };
}

const WITHIN_ITSELF = new WeakMap<OpenApiDocument, Map<object, boolean>>();

/** Whether a schema leads to itself, by whatever references. */
function isWithinItself(document: OpenApiDocument, schema: object): boolean {
  const known = WITHIN_ITSELF.get(document) ?? new Map<object, boolean>();
  WITHIN_ITSELF.set(document, known);
  const found = known.get(schema) ?? reaches(document, schema);
  known.set(schema, found);
  return found;
}

function reaches(document: OpenApiDocument, schema: object): boolean {
  const seen = new Set<unknown>();
  const left: unknown[] = Object.values(schema);
  if (isReference(schema)) left.push(nodeAt(document, schema.$ref));
  for (let node = left.pop(); left.length > 0 || node !== undefined; node = left.pop()) {
    if (node === schema) return true;
    if (typeof node !== 'object' || node === null || seen.has(node)) continue;
    seen.add(node);
    left.push(...Object.values(node));
    if (isReference(node)) left.push(nodeAt(document, node.$ref));
  }
  return false;
}

/** In place of a schema within itself. */
function typeAlone({ keywords }: FlatSchema): ToolSchema {
  const type = keywords.get('type')?.value;
  return typeof type === 'string' ? { type } : {};
}

function objectFacts(
  document: OpenApiDocument,
  { properties, required, keywords }: FlatSchema,
  levels: Levels,
): ToolSchema {
  const sent = [...properties.values()].filter(
    ({ schemas }) => flatSchema(document, ...schemas).keywords.get('readOnly')?.value !== true,
  );
  const names = sent.map(({ name }) => name).filter((name) => required.has(name));
  const more = keywords.get('additionalProperties')?.value;
  return {
    ...(sent.length > 0 && {
      properties: Object.fromEntries(
        sent.map(({ name, schemas }) => [name, schemaOf(document, oneOfAll(schemas), levels)]),
      ),
    }),
    ...(names.length > 0 && { required: names }),
    ...(more === false && { additionalProperties: false }),
    ...(isPlainObject(more) && { additionalProperties: schemaOf(document, more, levels) }),
  };
}

function oneOfAll(schemas: readonly Schema[]): Schema {
  const [first, ...others] = schemas;
  return first === undefined || others.length > 0 ? { allOf: schemas } : first;
}

/** The branches of a union, unless one of them only says that null is allowed. */
function alternativesOf(
  document: OpenApiDocument,
  { nodes }: FlatSchema,
  levels: Levels,
): readonly ToolSchema[] | undefined {
  const unions = nodes.flatMap((one) => {
    const { oneOf, anyOf } = one as { readonly oneOf?: readonly Schema[]; readonly anyOf?: readonly Schema[] };
    return nullUnion({ oneOf, anyOf }) === undefined ? [oneOf ?? anyOf ?? []] : [];
  });
  const branches = unions.find(({ length }) => length > 0);
  return branches?.filter((one) => !isNullSchema(one)).map((one) => schemaOf(document, one, levels));
}

const patternOf = (pattern: unknown, format: unknown): ToolSchema =>
  pattern === undefined || format !== undefined || isImpliedPattern({ pattern, format }) ? {} : { pattern };
