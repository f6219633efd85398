import { isInt32 } from '../../json-schema/integer-bounds.ts';
import { type Node, nodesBelow } from '../../read/grammar.ts';
import { mapVariants } from './variants.ts';

/** Rewrites what generators misread, in every schema of the document. */
export function simplifySchemas(document: Node): void {
  for (const { node, kind } of [...nodesBelow(document, 'document')]) {
    if (kind !== 'schema') continue;
    // A client would send it in a patch that leaves the property out.
    delete node['default'];
    // Order counts in a list whose values are unique, too; a set would lose it.
    delete node['uniqueItems'];
    giveType(node);
    giveFormat(node);
    mapVariants(document, node);
  }
}

/** The type that the one value of a constant shows: generators do not read it off. */
function giveType(schema: Node): void {
  if (schema['type'] === undefined && typeof schema['const'] === 'string') schema['type'] = 'string';
}

/** Numbers get a type as wide as their values; decimals and integers of 64 bits that travel as text are text. */
function giveFormat(schema: Node): void {
  const types = [schema['type']].flat();
  const { format, contentMediaType, contentEncoding } = schema;
  if (types.includes('string') && contentMediaType && !contentEncoding && !format) schema['format'] = 'binary';
  if (types.includes('string') && (format === 'decimal' || format === 'int64')) delete schema['format'];
  if (types.includes('integer') && format === undefined && !fitsInt32(schema)) schema['format'] = 'int64';
  if (types.includes('number') && format === undefined) schema['format'] = 'double';
}

function fitsInt32(schema: Node): boolean {
  return isInt32({ keywords: new Map(Object.entries(schema).map(([name, value]) => [name, { value }])) });
}
