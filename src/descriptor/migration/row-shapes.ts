import type { OpenApiDocument, Schema } from '../document.ts';
import { pointerOfFragment, pointerTokens, valueAt } from '../json-pointer.ts';
import { onlyOf } from '../look-up.ts';
import { schemaUri } from '../references.ts';
import type { PropertyDescriptor, PropertyType, ResourceDescriptor } from '../resource.ts';

/** What a contract says of its rows, as it is recorded in a database: schemas without what no value is held against. */
export interface RowShapes {
  /** By name of the table. */
  readonly tables: Readonly<Record<string, RowShape>>;
  /** The targets of references in the schemas, by reference. */
  readonly definitions: Readonly<Record<string, Schema>>;
  /** The columns that the contract reads and writes; undefined: recorded by a Lockstep that did not keep them. */
  readonly columns?: RecordedColumns;
  /** Forms that a file has given to columns since, by table and column. */
  readonly stored?: Readonly<Record<string, Readonly<Record<string, PropertyType>>>>;
}

/** By name of the table, then of the column. */
export type RecordedColumns = Readonly<Record<string, Readonly<Record<string, RecordedColumn>>>>;

interface RecordedColumn {
  readonly property: string;
  /** The form in which values are stored. */
  readonly type: PropertyType;
  /** No row is without a value. */
  readonly isRequired: boolean;
  readonly initial?: PropertyDescriptor['initial'];
  readonly references?: PropertyDescriptor['references'];
}

interface RowShape {
  readonly properties: Readonly<Record<string, PropertyShape>>;
  /** Rules for the row as a whole. */
  readonly rules: readonly Schema[];
}

export interface PropertyShape {
  readonly isRequired: boolean;
  readonly schema: Schema;
}

type Keywords = Readonly<Record<string, unknown>>;

const ANNOTATION =
  /^(?:title|description|default|examples?|deprecated|readOnly|writeOnly|externalDocs|xml|\$comment|\$defs|x-.*)$/;
const SCHEMA_MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas']);
const SCHEMAS =
  /^(?:allOf|anyOf|oneOf|prefixItems|items|contains|not|if|then|else|additionalProperties|propertyNames|unevaluated\w+)$/;
/** Keywords whose order means nothing. */
const SETS = new Set(['enum', 'required', 'type']);
/** Keywords of an object that are said of each property, or forbid others. */
const PER_PROPERTY = new Set(['type', 'properties', 'required', 'additionalProperties', 'unevaluatedProperties']);

/** The shapes of the rows of a contract's resources. */
export function rowShapesOf(document: OpenApiDocument, resources: readonly ResourceDescriptor[]): RowShapes {
  const definitions: Record<string, Schema> = {};
  const targetOf = (reference: string): Schema => {
    if (definitions[reference] !== undefined) return definitions[reference];
    const pointer = pointerOfFragment(reference.slice(1)) ?? '';
    definitions[reference] = true;
    definitions[reference] = validating((valueAt(document, pointerTokens(pointer)) ?? true) as Schema, targetOf);
    return definitions[reference];
  };
  const tables = resources.map(({ table, schemas }) => {
    const parts = partsOf({ $ref: schemaUri(schemas.resource) }, targetOf);
    return [table, shapeOf(parts)] as const;
  });
  return { tables: Object.fromEntries(tables), definitions };
}

/** The schema with the keywords that values are held against, in a stable order; visits the targets of references. */
function validating(schema: Schema, visit: (reference: string) => void): Schema {
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([keyword]) => !ANNOTATION.test(keyword));
  const each = (value: unknown): unknown =>
    Array.isArray(value) ? value.map((one) => validating(one as Schema, visit)) : validating(value as Schema, visit);
  const kept = entries.map(([keyword, value]): [string, unknown] => {
    if (keyword === '$ref') visit(value as string);
    if (SCHEMA_MAPS.has(keyword)) return [keyword, mapped(value as Keywords, each)];
    if (SCHEMAS.test(keyword)) return [keyword, each(value)];
    return [keyword, SETS.has(keyword) && Array.isArray(value) ? value.toSorted(byText) : value];
  });
  return Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const mapped = (schemas: Keywords, each: (schema: unknown) => unknown): Keywords =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, each(schema)]));

const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

/** The schemas that a row must meet, all of them: those of `allOf` and of references apart. */
function partsOf(schema: Schema, targetOf: (reference: string) => Schema, seen = new Set<string>()): Schema[] {
  if (typeof schema !== 'object') return [schema];
  const { allOf, $ref, ...own } = schema;
  const reference = $ref as string | undefined;
  const isNew = reference !== undefined && !seen.has(reference);
  const target = isNew ? partsOf(targetOf(reference), targetOf, seen.add(reference)) : [];
  const parts = ((allOf ?? []) as readonly Schema[]).flatMap((part) => partsOf(part, targetOf, seen));
  return [...target, ...parts, ...(Object.keys(own).length > 0 ? [own] : [])];
}

function shapeOf(parts: readonly Schema[]): RowShape {
  const schemas = new Map<string, Schema[]>();
  const required = new Set<string>();
  const rules: Schema[] = [];
  for (const part of parts) {
    if (typeof part !== 'object') continue;
    for (const [name, schema] of Object.entries((part.properties ?? {}) as Keywords))
      schemas.set(name, [...(schemas.get(name) ?? []), schema as Schema]);
    for (const name of (part.required ?? []) as readonly string[]) required.add(name);
    const others = Object.entries(part).filter(([keyword]) => !PER_PROPERTY.has(keyword));
    if (others.length > 0) rules.push(Object.fromEntries(others));
  }
  const properties = [...schemas].map(([name, all]): [string, PropertyShape] => [
    name,
    { isRequired: required.has(name), schema: onlyOf(all) ?? { allOf: all } },
  ]);
  return { properties: Object.fromEntries(properties), rules };
}
