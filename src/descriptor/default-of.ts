import type { OpenApiDocument, Schema } from './document.ts';
import { nullUnion } from './null-union.ts';
import { dereference, isReference } from './references.ts';

/** Of references and compositions within each other. */
const MAX_DEPTH = 8;

/** The default of a schema: its own, or else that of `S` in "`S` or null", of the last in `allOf`, or behind its reference. */
export function defaultOf(document: OpenApiDocument, schema: Schema, depth = 0): unknown {
  if (typeof schema === 'boolean' || depth > MAX_DEPTH) return undefined;
  if (schema['default'] !== undefined) return schema['default'];
  const behind = [
    ...(isReference(schema) ? [dereference(document, schema)] : []),
    ...((schema['allOf'] ?? []) as readonly Schema[]),
    nullUnion(schema) ?? true,
  ];
  const values = behind.map((part) => defaultOf(document, part, depth + 1));
  return values.findLast((value) => value !== undefined);
}
