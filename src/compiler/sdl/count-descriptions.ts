import { type DocumentNode, Kind } from 'graphql';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import { described } from './access-descriptions.ts';

/** The SDL with what bounds the counts of lists, in words, in the descriptions of `totalCount`. */
export function withCountDescriptions(sdl: DocumentNode, resources: readonly ResourceDescriptor[]): DocumentNode {
  const bounds = new Map<string, number>(
    resources.flatMap(({ name, list }) =>
      list?.countBound === undefined ? [] : [[`${name}Connection`, list.countBound] as const],
    ),
  );
  if (bounds.size === 0) return sdl;
  const definitions = sdl.definitions.map((node) => {
    const bound = node.kind === Kind.OBJECT_TYPE_DEFINITION ? bounds.get(node.name.value) : undefined;
    if (node.kind !== Kind.OBJECT_TYPE_DEFINITION || bound === undefined) return node;
    const fields = node.fields?.map((field) =>
      field.name.value === 'totalCount' ? described(field, [countSentence(bound)]) : field,
    );
    return { ...node, ...(fields && { fields }) };
  });
  return { ...sdl, definitions };
}

/** How far entries are counted, in words. `isExact`: what says whether that are all. */
export const countSentence = (bound: number, isExact = 'totalCountIsExact'): string =>
  `Counted up to ${bound.toLocaleString('en-GB')}; where there are more, \`${isExact}\` is false.`;
