import {
  ACTIONS,
  type Action,
  nestedOf,
  type ResourceDescriptor,
  resourceWithKey,
} from '../../../descriptor/resource.ts';
import { operationWithId } from '../../../descriptor/rest.ts';
import type { ContractModel } from '../../model/model.ts';

/** A resource, and those that belong to it and lists through others, by the last word of their keys. */
export interface ResourceTree {
  readonly name: string;
  readonly resource: ResourceDescriptor | undefined;
  readonly children: ResourceTree[];
}

/** The resources of a contract as a client has them: `orders`, and `items` below it. */
export function treesOf(model: ContractModel): readonly ResourceTree[] {
  const root: ResourceTree = { name: '', resource: undefined, children: [] };
  for (const resource of [...model.resources, ...throughResources(model)].sort((a, b) => depthOf(a) - depthOf(b))) {
    const words = resource.key.split('.');
    const parent = words.slice(0, -1).reduce((tree, name) => childOf(tree, name), root);
    parent.children.push({ name: words.at(-1)!, resource, children: [] });
  }
  return root.children;
}

const depthOf = ({ key: text }: ResourceDescriptor): number => text.split('.').length;

function childOf(tree: ResourceTree, name: string): ResourceTree {
  const known = tree.children.find((child) => child.name === name);
  if (known) return known;
  const added: ResourceTree = { name, resource: undefined, children: [] };
  tree.children.push(added);
  return added;
}

/** Actions by which a child may not be called. */
const METHODS = new Set(['list', 'get', 'create', 'replace', 'update', 'change', 'delete']);

/** What a client calls a resource below another. */
export const memberOf = ({ name }: ResourceTree): string => (METHODS.has(name) ? `${name}Resource` : name);

/** The action that an operation is of a resource, if it is one. */
export const actionOf = ({ actions }: ResourceDescriptor, operationId: string): Action | undefined =>
  ACTIONS.find((action) => actions[action]?.operationId === operationId);

/** A resource and those below it. */
export const resourcesIn = ({ resource, children }: ResourceTree): readonly ResourceDescriptor[] => [
  ...(resource ? [resource] : []),
  ...children.flatMap(resourcesIn),
];

/**
 * The lists through other resources, as resources below those that they belong to, with no action but `list`: the client
 * reads the labels of an issue by `issues.labels.list`, as it reads what belongs to it.
 */
export function throughResources({
  resources,
  operations,
}: Pick<ContractModel, 'resources' | 'operations'>): readonly ResourceDescriptor[] {
  return resources.flatMap((listed) =>
    nestedOf(listed).map(({ operationId, access, name, below, to }): ResourceDescriptor => {
      const { keyProperty: _, further: __, schemas, ...own } = listed;
      return {
        ...own,
        key: `${below}.${name}`,
        path: operationWithId(operations, operationId).path,
        idParameter: to,
        parent: parentOf(resourceWithKey(resources, below)),
        actions: { list: { operationId, access } },
        schemas: { resource: schemas.resource },
      };
    }),
  );
}

const parentOf = ({ key, idParameter }: ResourceDescriptor): NonNullable<ResourceDescriptor['parent']> => ({
  resource: key,
  parameter: idParameter,
  property: idParameter,
});
