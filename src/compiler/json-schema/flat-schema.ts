import type { OpenApiDocument, Schema } from '../../descriptor/document.ts';
import { nullUnion } from '../../descriptor/null-union.ts';
import { isPlainObject } from '../../descriptor/plain-object.ts';
import { isReference, nodeAt } from '../../descriptor/references.ts';

type SchemaObject = Exclude<Schema, boolean>;

/** A keyword's value and the schema object it stands in, so that a fault in it can be located. */
interface Keyword {
  readonly value: unknown;
  readonly node: object;
}

/** One property of an object schema: every schema that applies to it, and the `properties` object that names it. */
export interface FlatProperty {
  readonly name: string;
  readonly holder: object;
  readonly schemas: readonly Schema[];
}

/**
 * A schema with its `$ref`, `allOf` and "or null" branches laid over each other;
 * what stands nearer to the place of use wins.
 */
export interface FlatSchema {
  readonly keywords: ReadonlyMap<string, Keyword>;
  readonly properties: ReadonlyMap<string, FlatProperty>;
  /** Names in `required`, each with the array that lists it. */
  readonly required: ReadonlyMap<string, object>;
  /** A branch says `null`, or the type does. */
  readonly nullable: boolean;
  /** Every schema object that took part, `$ref` targets first. */
  readonly nodes: readonly object[];
}

/** Lays schemas that all apply to one value over each other. Recursion through `$ref` is cut at its second visit. */
export function flattenSchema(document: OpenApiDocument, ...schemas: readonly Schema[]): FlatSchema {
  const keywords = new Map<string, Keyword>();
  const properties = new Map<string, FlatProperty>();
  const required = new Map<string, object>();
  const nodes: object[] = [];
  const open = new Set<object>();
  let nullable = false;

  const visit = (schema: unknown): void => {
    if (!isSchemaObject(schema) || open.has(schema)) return;
    open.add(schema);
    if (isReference(schema)) visit(nodeAt(document, schema.$ref));
    for (const branch of arrayOf(schema['allOf'])) visit(branch);
    visitNullUnion(schema);
    nodes.push(schema);
    for (const [keyword, value] of Object.entries(schema)) keywords.set(keyword, { value, node: schema });
    addProperties(schema['properties']);
    const names = schema['required'];
    if (Array.isArray(names)) for (const name of names) required.set(String(name), names);
    open.delete(schema);
  };

  const visitNullUnion = (schema: SchemaObject): void => {
    const value = nullUnion(schema);
    if (value === undefined) return;
    nullable = true;
    visit(value);
  };

  const addProperties = (holder: unknown): void => {
    if (!isSchemaObject(holder)) return;
    for (const [name, schema] of Object.entries(holder)) {
      const before = properties.get(name)?.schemas ?? [];
      properties.set(name, { name, holder, schemas: [...before, schema as Schema] });
    }
  };

  for (const schema of schemas) visit(schema);
  const type = keywords.get('type')?.value;
  nullable ||= (Array.isArray(type) && type.includes('null')) || type === 'null';
  return { keywords, properties, required, nullable, nodes };
}

export function isSchemaObject(schema: unknown): schema is SchemaObject {
  return isPlainObject(schema);
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
