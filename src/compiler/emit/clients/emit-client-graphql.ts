import type { GraphqlModel } from '../../model/model.ts';
import { HEADER } from '../print.ts';
import { clientGraphql } from './client-graphql.ts';
import { documentTexts } from './graphql-text.ts';

/**
 * `clients/schema.graphql` and `clients/documents.graphql`: what generators of GraphQL clients take, the SDL without what concerns
 * the server, and a document for each root field.
 */
export function emitClientGraphql(graphql: GraphqlModel): (readonly [path: string, text: string])[] {
  const made = clientGraphql(graphql);
  const header = `${HEADER.replace('//', '#')}\n`;
  return [
    ['clients/documents.graphql', header + documentTexts(made).join('\n')],
    ['clients/schema.graphql', header + made.sdl],
  ];
}
