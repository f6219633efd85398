import type { OpenApiDocument } from '../../descriptor/document.ts';
import { nodesBelow } from '../read/grammar.ts';

/** Extensions about storage alone. */
const STORAGE = ['x-column', 'x-table'];

/** A document for readers: without the names of columns and tables. */
export function publishedDocument<D extends OpenApiDocument>(document: D): D {
  const copy = structuredClone(document);
  for (const { node, kind } of nodesBelow(copy, 'document'))
    if (kind === 'schema') for (const name of STORAGE) delete node[name];
  return copy;
}
