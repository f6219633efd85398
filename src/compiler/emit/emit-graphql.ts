import type { GraphqlModel } from '../model/model.ts';
import { HEADER, literal } from './print.ts';

/** `schema.graphql`: the contract's SDL in one file. `graphql.ts`: what its fields stand for, as data. */
export function emitGraphql({ sdl, descriptor }: GraphqlModel, library: string): [path: string, text: string][] {
  return [
    ['schema.graphql', `${HEADER.replace('//', '#')}\n${sdl}\n`],
    [
      'graphql.ts',
      `${HEADER}import type { GraphqlDescriptor } from '${library}';

export const graphql: GraphqlDescriptor = ${literal(descriptor)};
`,
    ],
  ];
}
