import type { OpenApiDocument, Schema } from '../../descriptor/document.ts';
import { dereference, isReference } from '../../descriptor/references.ts';
import type { ScalarTypes } from '../../descriptor/rest.ts';
import { jsonType } from './property-type.ts';

/** All JSON types that a schema names, directly or through references and compositions; an empty set means any type. */
export function typesOf(document: OpenApiDocument, schema: Schema, seen = new Set<Schema>()): ReadonlySet<string> {
  const types = new Set<string>();
  if (typeof schema === 'boolean' || seen.has(schema)) return types;
  seen.add(schema);
  for (const type of [schema['type'] ?? []].flat() as string[]) types.add(type);
  if (types.size === 0) for (const value of literalsOf(schema)) types.add(jsonType(value));
  const parts = [schema['allOf'], schema['anyOf'], schema['oneOf']].flat() as (Schema | undefined)[];
  if (isReference(schema)) parts.push(dereference(document, schema));
  for (const part of parts) if (part !== undefined) for (const type of typesOf(document, part, seen)) types.add(type);
  return types;
}

const literalsOf = (schema: Readonly<Record<string, unknown>>): readonly unknown[] =>
  'const' in schema ? [schema['const']] : Array.isArray(schema['enum']) ? schema['enum'] : [];

const NARROWEST_FIRST: ScalarTypes = ['boolean', 'integer', 'number', 'null', 'string'];

/** The scalars among types; strings if it names none. */
export function scalarTypes(types: ReadonlySet<string>): ScalarTypes {
  const known = NARROWEST_FIRST.filter((type) => types.has(type));
  return known.length === 0 ? ['string'] : known;
}

/** The properties of an object schema, including those from references and `allOf`. */
export function propertiesOf(document: OpenApiDocument, schema: Schema): ReadonlyMap<string, Schema> {
  const target = dereference(document, schema);
  if (typeof target === 'boolean') return new Map();
  const own = Object.entries((target['properties'] ?? {}) as Readonly<Record<string, Schema>>);
  const parts = (target['allOf'] ?? []) as readonly Schema[];
  return new Map([...parts.flatMap((part) => [...propertiesOf(document, part)]), ...own]);
}
