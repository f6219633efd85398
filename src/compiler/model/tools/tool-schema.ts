import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import { isImpliedPattern } from '../../../descriptor/implied-patterns.ts';
import { isNullSchema, nullUnion } from '../../../descriptor/null-union.ts';
import { isPlainObject } from '../../../descriptor/plain-object.ts';
import { isReference, nodeAt } from '../../../descriptor/references.ts';
import { namesReached } from '../../json-schema/names-reached.ts';
import { flatSchema, namedSchemas } from '../schemas.ts';

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
export const toolSchema = (document: OpenApiDocument, schema: Schema): ToolSchema => schemaOf(document, schema, [], 2);

/** Of a query: what is inside it needs no words or bounds to be understood, and lists of tools are paid for by their length. */
export const briefSchema = (document: OpenApiDocument, schema: Schema): ToolSchema =>
  brief(schemaOf(document, schema, [], 1)) as ToolSchema;

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
        return [
          keyword,
          Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, brief(one, depth + 1)])),
        ];
      if (keyword === 'anyOf') return [keyword, (value as readonly unknown[]).map((one) => brief(one, depth + 1))];
      return [keyword, brief(value, depth + 1)];
    }),
  );
}

const MAX_INT32 = 2 ** 31 - 1;

/**
 * `open` are the schemas that it is within. Of those that recur, at most so many levels are shown: they may lead to each other, and
 * the same would be said again and again.
 */
function schemaOf(document: OpenApiDocument, schema: Schema, open: readonly unknown[], levels: number): ToolSchema {
  if (!isPlainObject(schema)) return {};
  const targets = targetsOf(document, schema);
  const recur = targets.some((one) => recurs(document, one));
  if (recur && open.filter((one) => recurs(document, one)).length >= levels) return typeAlone(document, schema);
  const below = recur ? [...open, targets.at(-1)] : open;
  const flat = flatSchema(document, schema);
  const value = (keyword: string): unknown => flat.keywords.get(keyword)?.value;
  const types = [value('type') ?? []].flat().filter((type) => type !== 'null');
  const kept = KEPT.flatMap((keyword) => (flat.keywords.has(keyword) ? [[keyword, value(keyword)]] : []));
  const facts: Record<string, unknown> = {
    ...Object.fromEntries(kept),
    ...patternOf(value('pattern'), value('format')),
  };
  const values = flat.keywords.has('const') ? [value('const')] : (value('enum') as readonly unknown[] | undefined);
  if (values) facts['enum'] = values.filter((one) => one !== null);
  if (flat.keywords.has('items')) facts['items'] = schemaOf(document, value('items') as Schema, below, levels);
  Object.assign(facts, objectFacts(document, schema, below, levels));
  const alternatives = alternativesOf(document, targets, below, levels);
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

/** The schemas that a reference leads to, one after the other; the schema itself without one. */
function targetsOf(document: OpenApiDocument, schema: Schema): readonly unknown[] {
  const targets: unknown[] = [schema];
  for (let at: unknown = schema; isReference(at); targets.push(at)) {
    at = nodeAt(document, at.$ref);
    if (targets.includes(at)) break;
  }
  return targets;
}

/** Whether a schema is within itself. */
function recurs(document: OpenApiDocument, schema: unknown): boolean {
  const known = RECURRING.get(document) ?? new Map<unknown, boolean>();
  RECURRING.set(document, known);
  const found = known.get(schema);
  if (found !== undefined) return found;
  const name = Object.keys(namedSchemas(document)).find((one) => namedSchemas(document)[one] === schema);
  const is = name !== undefined && namesReached(document, [schema]).has(name);
  known.set(schema, is);
  return is;
}

const RECURRING = new WeakMap<OpenApiDocument, Map<unknown, boolean>>();

/** In place of a schema within itself. */
function typeAlone(document: OpenApiDocument, schema: Schema): ToolSchema {
  const type = flatSchema(document, schema).keywords.get('type')?.value;
  return typeof type === 'string' ? { type } : {};
}

function objectFacts(document: OpenApiDocument, schema: Schema, open: readonly unknown[], levels: number): ToolSchema {
  const { properties, required, keywords } = flatSchema(document, schema);
  const sent = [...properties.values()].filter(
    ({ schemas }) => flatSchema(document, ...schemas).keywords.get('readOnly')?.value !== true,
  );
  const names = sent.map(({ name }) => name).filter((name) => required.has(name));
  const more = keywords.get('additionalProperties')?.value;
  return {
    ...(sent.length > 0 && {
      properties: Object.fromEntries(
        sent.map(({ name, schemas }) => [name, schemaOf(document, oneOfAll(schemas), open, levels)]),
      ),
    }),
    ...(names.length > 0 && { required: names }),
    ...(more === false && { additionalProperties: false }),
    ...(isPlainObject(more) && { additionalProperties: schemaOf(document, more, open, levels) }),
  };
}

function oneOfAll(schemas: readonly Schema[]): Schema {
  const [first, ...others] = schemas;
  return first === undefined || others.length > 0 ? { allOf: schemas } : first;
}

/** The branches of a union, unless one of them only says that null is allowed. */
function alternativesOf(
  document: OpenApiDocument,
  targets: readonly unknown[],
  open: readonly unknown[],
  levels: number,
): readonly ToolSchema[] | undefined {
  const union = targets.find((one) => isPlainObject(one) && (one['oneOf'] ?? one['anyOf']) !== undefined);
  if (!isPlainObject(union) || nullUnion(union) !== undefined) return undefined;
  const branches = (union['oneOf'] ?? union['anyOf']) as readonly Schema[];
  return branches.filter((one) => !isNullSchema(one)).map((one) => schemaOf(document, one, open, levels));
}

const patternOf = (pattern: unknown, format: unknown): ToolSchema =>
  pattern === undefined || format !== undefined || isImpliedPattern({ pattern, format }) ? {} : { pattern };
