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
  const names = valueNames(schema);
  delete schema['x-enum-varnames'];
  if (names) schema['x-enumNames'] = names;
}

/** What the values of an enum are called after its type; undefined where the generator chooses. */
export function valueNames({ 'x-enum-varnames': given, enum: values }: Node): readonly string[] | undefined {
  const words = Array.isArray(given) ? given : values;
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string')) return undefined;
  const names = words.map(pascal);
  return names.every((name) => name !== '') && new Set(names).size === names.length ? names : undefined;
}

/** `CREATED_AT_DESC` → `CreatedAtDesc` */
function pascal(word: string): string {
  const parts = word.match(/[A-Za-z0-9]+/g) ?? [];
  return parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1).toLowerCase()).join('');
}
