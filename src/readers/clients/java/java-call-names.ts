import { memberOf, type ResourceTree, resourcesIn } from '../../../compiler/emit/clients/index.ts';
import { camelCase, lowerFirst } from '../../../compiler/model/index.ts';
import { methodName } from './java-words.ts';

/** What `Client` calls the things of a contract. */
export interface JavaCallNames {
  /** The expression for a resource behind that for the client, by its key: `orders().items()`. */
  readonly resources: ReadonlyMap<string, string>;
  /** The methods of the operations that are not an action of a resource, by their ids. */
  readonly operations: ReadonlyMap<string, string>;
}

/** The method that leads to a resource. */
export const accessorOf = (tree: ResourceTree): string => methodName(memberOf(tree), 'Resource');

export function javaCallNames(trees: readonly ResourceTree[], operationIds: Iterable<string>): JavaCallNames {
  const resources = new Map<string, string>();
  const visit = (tree: ResourceTree, before: string): void => {
    const expression = `${before}${accessorOf(tree)}()`;
    if (tree.resource) resources.set(tree.resource.key, expression);
    for (const child of tree.children) visit(child, `${expression}.`);
  };
  for (const tree of trees) visit(tree, '');
  const ofActions = new Set(
    trees.flatMap(resourcesIn).flatMap(({ actions }) => Object.values(actions).map(({ operationId }) => operationId)),
  );
  const taken = new Set(['connection', ...trees.map(accessorOf)]);
  const operations = new Map<string, string>();
  for (const id of operationIds) {
    if (ofActions.has(id)) continue;
    const plain = methodName(lowerFirst(camelCase(id)) || 'operation', 'Operation');
    let name = taken.has(plain) ? `${plain}Operation` : plain;
    while (taken.has(name)) name += '_';
    taken.add(name);
    operations.set(id, name);
  }
  return { resources, operations };
}
