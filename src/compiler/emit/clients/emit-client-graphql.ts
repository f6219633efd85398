import type { GraphqlModel } from '../../model/model.ts';
import { HEADER } from '../print.ts';
import { clientGraphql } from './client-graphql.ts';
import { fragmentText, operationText } from './graphql-text.ts';

/**
 * `clients/schema.graphql` and `clients/documents.graphql`: what generators of GraphQL clients take, the SDL without what concerns
 * the server, and a document for each root field.
 */
export function emitClientGraphql(graphql: GraphqlModel): (readonly [path: string, text: string])[] {
  const { sdl, fragments, documents } = clientGraphql(graphql);
  const texts = [...fragments.map(fragmentText), ...documents.map((one) => operationText(one))];
  const header = `${HEADER.replace('//', '#')}\n`;
  return [
    ['clients/documents.graphql', header + texts.join('\n')],
    ['clients/schema.graphql', header + sdl],
  ];
}
