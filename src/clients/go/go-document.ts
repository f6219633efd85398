import { removeUnreferenced } from '../../compiler/emit/clients/unreferenced.ts';
import { type Node, nodesBelow } from '../../compiler/read/grammar.ts';
import { constantsToEnums, keepResults } from '../common/document-parts.ts';

/**
 * The document as the generator for Go reads it. Failures are errors of the layer; values of enums get the names that Go would
 * give them, `ProductStatusActive`.
 */
export function goDocument(document: Node): Node {
  keepResults(document, /^[23]/);
  constantsToEnums(document);
  for (const { node, kind } of nodesBelow(document, 'document')) if (kind === 'schema') nameValues(node);
  removeUnreferenced(document);
  return document;
}

function nameValues(schema: Node): void {
  const { 'x-enum-varnames': given, enum: values } = schema;
  delete schema['x-enum-varnames'];
  const words = Array.isArray(given) ? given : values;
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string')) return;
  const names = words.map(pascal);
  if (names.every((name) => name !== '') && new Set(names).size === names.length) schema['x-enumNames'] = names;
}

/** `CREATED_AT_DESC` → `CreatedAtDesc` */
function pascal(word: string): string {
  const parts = word.match(/[A-Za-z0-9]+/g) ?? [];
  return parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1).toLowerCase()).join('');
}
