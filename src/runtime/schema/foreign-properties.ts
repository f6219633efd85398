import type { OpenApiDocument, Schema } from '../../descriptor/document.ts';
import { dereference } from '../../descriptor/references.ts';
import { partsOf } from './composition.ts';
import type { Keywords } from './keywords.ts';

/** `input`: requests, without read-only properties. `output`: responses, without write-only properties. */
export type Direction = 'input' | 'output';

/** Properties that a schema itself declares and that do not exist in this direction. */
export function ownForeignProperties(document: OpenApiDocument, direction: Direction, schema: Keywords): string[] {
  const mark = direction === 'input' ? 'readOnly' : 'writeOnly';
  return Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>)
    .filter(([, property]) => isMarked(document, property, mark))
    .map(([name]) => name);
}

/** The same for a schema and all of its compositions: none of these properties may be required. */
export function foreignProperties(
  document: OpenApiDocument,
  direction: Direction,
  schema: Schema,
  seen = new Set<Schema>(),
): Set<string> {
  if (typeof schema === 'boolean' || seen.has(schema)) return new Set();
  seen.add(schema);
  const names = new Set(ownForeignProperties(document, direction, schema));
  for (const part of partsOf(document, schema))
    for (const name of foreignProperties(document, direction, part, seen)) names.add(name);
  return names;
}

/** The mark may be next to a reference, on its target, or in an `allOf` with one member. */
function isMarked(document: OpenApiDocument, schema: Schema, mark: 'readOnly' | 'writeOnly'): boolean {
  if (typeof schema === 'boolean') return false;
  if (schema[mark] === true) return true;
  const target = dereference(document, schema);
  if (typeof target === 'boolean') return false;
  const [only, ...others] = (target.allOf ?? []) as readonly Schema[];
  return target[mark] === true || (only !== undefined && others.length === 0 && isMarked(document, only, mark));
}
