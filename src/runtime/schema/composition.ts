import type { OpenApiDocument, Schema } from '../../descriptor/document.ts';
import { dereference, isReference } from '../../descriptor/references.ts';
import { type Keywords, SAME_INSTANCE } from './keywords.ts';

/** The schemas that an instance must match in addition to the schema's own keywords. */
export function partsOf(document: OpenApiDocument, schema: Keywords): readonly Schema[] {
  const parts = (schema.allOf ?? []) as readonly Schema[];
  return isReference(schema) ? [dereference(document, schema), ...parts] : parts;
}

/** Whether the schema has branches, so that only `unevaluatedProperties` knows the properties of all of them. */
export const isComposed = (schema: Keywords): boolean =>
  '$ref' in schema || 'if' in schema || [...SAME_INSTANCE].some((keyword) => keyword in schema);

/** Whether the schema consists of others that close themselves: one reference, one union, or `allOf` with one member. */
export function isPassThrough(schema: Keywords): boolean {
  if ('additionalProperties' in schema || 'unevaluatedProperties' in schema) return false;
  // What is required here may be what no other schema knows.
  const own = ['$ref', 'if', 'properties', 'patternProperties', 'required'];
  const applied = [...SAME_INSTANCE, ...own].filter((name) => name in schema);
  if (applied.length !== 1) return false;
  if (applied[0] === 'allOf') return (schema.allOf as unknown[]).length === 1;
  return applied[0] === '$ref' || applied[0] === 'oneOf' || applied[0] === 'anyOf';
}

/** Whether any part of the schema declares properties, so that others are unknown. */
export function namesProperties(document: OpenApiDocument, schema: Schema, seen = new Set<Schema>()): boolean {
  if (typeof schema === 'boolean' || seen.has(schema)) return false;
  seen.add(schema);
  if (schema.properties || schema.patternProperties) return true;
  const branches = [schema.anyOf, schema.oneOf, schema.then, schema.else].flat() as (Schema | undefined)[];
  return [...partsOf(document, schema), ...branches].some(
    (branch) => branch !== undefined && namesProperties(document, branch, seen),
  );
}
