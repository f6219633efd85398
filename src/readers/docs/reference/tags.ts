import type { RootField } from '../../../compiler/emit/index.ts';
import { namedSchemas, type OperationModel } from '../../../compiler/model/index.ts';
import { tagNameOf } from './places.ts';
import type { Reference } from './reference.ts';

/** What stands under a tag. */
export interface Tagged {
  readonly operations: readonly OperationModel[];
  readonly roots: readonly RootField[];
  /** Names of types of either protocol. */
  readonly types: readonly string[];
}

/** What stands under a tag, by its name; under '', what no operation has a tag for. */
export function tagged(reference: Reference): (name: string) => Tagged {
  const { model, graphqlTypes } = reference;
  const tags = new Map(model.operations.map((one) => [one.operationId, tagNameOf(one)]));
  const tagWith = (operationId = ''): string => tags.get(operationId) ?? '';
  const operations = Map.groupBy(model.operations, tagNameOf);
  const roots = Map.groupBy(reference.roots, (root) => tagWith(reference.counterpart(root)));
  const owners = model.resources
    .map(({ name, schemas, actions }) => ({
      name,
      own: Object.values<string>(schemas),
      tag: tagWith(Object.values(actions)[0]?.operationId),
    }))
    .toSorted((a, b) => b.name.length - a.name.length);
  const names = new Set([...Object.keys(namedSchemas(model.document)), ...graphqlTypes.map(({ name }) => name)]);
  // A type is of the resource that has it, or whose name its own begins with: `OrderConnection`.
  const types = Map.groupBy(names, (type) => {
    const owner = owners.find(({ own }) => own.includes(type)) ?? owners.find(({ name }) => type.startsWith(name));
    return owner?.tag ?? '';
  });
  return (name) => ({
    operations: operations.get(name) ?? [],
    roots: roots.get(name) ?? [],
    types: types.get(name) ?? [],
  });
}
