import { memberOf, type ResourceTree } from '../../../compiler/emit/clients/index.ts';
import { type Action, namingProperty } from '../../../descriptor/resource.ts';
import { pythonClassName, pythonIdentifier } from './python-identifiers.ts';

/** A resource of the client, with those below it. */
interface PythonResource {
  /** As a member of what it is below: `items`. */
  readonly name: string;
  readonly className: string;
  readonly path: string;
  /** Property that names one of it. */
  readonly key: string;
  /** Ids of its operations. */
  readonly actions: Readonly<Partial<Record<Action, string>>>;
  readonly children: readonly PythonResource[];
}

/** The members of a client. */
export interface PythonMembers {
  readonly resources: readonly PythonResource[];
  /** The operations that are not an action of a resource. */
  readonly operations: readonly { readonly id: string; readonly name: string }[];
}

/** What every client of openapi-python-client has. */
const OWN =
  /^(?:token|prefix|auth_header_name|raise_on_unexpected_status|with_(?:headers|cookies|timeout)|[gs]et_(?:async_)?httpx_client)$/;

/** The members of a client, by the names that the contract gives them. `schemas`: names of its schemas, which are classes, too. */
export function pythonMembers(
  trees: readonly ResourceTree[],
  operationIds: readonly string[],
  schemas: readonly string[],
): PythonMembers {
  const classes = new Set(schemas.map(pythonClassName));
  const members = new Set<string>();
  const resources = trees.map((tree) => resourceOf(tree, '', classes, (name) => free(name, 'resource', members)));
  const actions = new Set(resources.flatMap(operationsIn));
  const operations = operationIds
    .filter((id) => !actions.has(id))
    .map((id) => ({ id, name: free(pythonIdentifier(id), 'operation', members) }));
  return { resources, operations };
}

function resourceOf(
  tree: ResourceTree,
  above: string,
  classes: Set<string>,
  nameOf: (name: string) => string,
): PythonResource {
  const { resource, children } = tree;
  const words = `${above} ${tree.name}`;
  const members = new Set<string>();
  return {
    name: nameOf(pythonIdentifier(above === '' ? tree.name : memberOf(tree))),
    className: free(`${pythonClassName(words)}Resource`, '', classes),
    path: resource?.path ?? `/${tree.name}`,
    key: resource ? namingProperty(resource) : 'id',
    actions: Object.fromEntries(
      Object.entries(resource?.actions ?? {}).map(([action, { operationId }]) => [action, operationId]),
    ),
    children: children.map((child) => resourceOf(child, words, classes, (name) => free(name, 'resource', members))),
  };
}

const operationsIn = ({ actions, children }: PythonResource): readonly string[] => [
  ...Object.values(actions),
  ...children.flatMap(operationsIn),
];

/** How a program calls an operation. */
export interface PythonCall {
  /** The method: `client.orders.items.create`. */
  readonly expression: string;
  /** Of a resource, where it is one. */
  readonly action: string | undefined;
}

/** The calls of a client, by the ids of operations. */
export function callsOf({ resources, operations }: PythonMembers): ReadonlyMap<string, PythonCall> {
  const calls = new Map<string, PythonCall>();
  const visit = ({ name, actions, children }: PythonResource, above: string): void => {
    const own = `${above}.${name}`;
    for (const [action, id] of Object.entries(actions)) calls.set(id, { expression: `${own}.${action}`, action });
    for (const child of children) visit(child, own);
  };
  for (const resource of resources) visit(resource, 'client');
  for (const { id, name } of operations) calls.set(id, { expression: `client.${name}`, action: undefined });
  return calls;
}

/** A name that is not taken: with a suffix, or a number where that does not help. */
function free(name: string, suffix: string, taken: Set<string>): string {
  let own = OWN.test(name) || (suffix !== '' && taken.has(name)) ? `${name}_${suffix}` : name;
  for (let number = 2; taken.has(own); number += 1) own = `${name}${suffix && `_${suffix}`}${number}`;
  taken.add(own);
  return own;
}
