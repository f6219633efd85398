import { type Keep, kept } from '../../../descriptor/keep.ts';
import type { GraphqlModel } from '../../model/model.ts';
import { HEADER } from '../print.ts';
import { clientGraphql } from './client-graphql.ts';
import { documentTexts } from './graphql-text.ts';

/**
 * `clients/schema.graphql` and `clients/documents.graphql`: what generators of GraphQL clients take, the SDL without what concerns
 * the server, and a document for each root field.
 */
export async function emitClientGraphql(
  graphql: GraphqlModel,
  keep: Keep,
): Promise<(readonly [path: string, text: string])[]> {
  const texts = await kept(keep, 'client-graphql', [JSON.stringify(graphql)], async () => {
    const made = clientGraphql(graphql);
    return JSON.stringify([documentTexts(made).join('\n'), made.sdl]);
  });
  const [documents, sdl]: readonly [documents: string, sdl: string] = JSON.parse(texts);
  const header = `${HEADER.replace('//', '#')}\n`;
  return [
    ['clients/documents.graphql', header + documents],
    ['clients/schema.graphql', header + sdl],
  ];
}
