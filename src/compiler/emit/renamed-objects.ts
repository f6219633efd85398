import { type GraphqlDescriptor, partsOfCoordinate } from '../../descriptor/graphql.ts';

/** The object types that are not resources and have a field for a property of another name. */
export function renamedObjects({ fields, types }: GraphqlDescriptor): readonly string[] {
  const renamed = Object.entries(fields).flatMap(([coordinate, { kind }]) =>
    kind === 'property' ? [partsOfCoordinate(coordinate).type] : [],
  );
  return [...new Set(renamed)].filter((type) => !Object.hasOwn(types, type));
}
