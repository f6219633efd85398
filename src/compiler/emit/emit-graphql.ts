import type { GraphqlModel } from '../model/model.ts';
import { emitGraphqlTypes } from './emit-graphql-types.ts';
import { HEADER, literal } from './print.ts';

/** `schema.graphql`: the contract's SDL in one file. `graphql.ts`: what its fields stand for, as data. */
export async function emitGraphql(model: GraphqlModel, library: string): Promise<[path: string, text: string][]> {
  const { sdl, descriptor } = model;
  return [
    ['schema.graphql', `${HEADER.replace('//', '#')}\n${sdl}\n`],
    [
      'graphql.ts',
      `${HEADER}import type { GraphqlDescriptor } from '${library}/descriptor/graphql.ts';

export const graphql: GraphqlDescriptor = ${literal(descriptor)};
`,
    ],
    ['types/graphql.ts', await emitGraphqlTypes(model)],
  ];
}
