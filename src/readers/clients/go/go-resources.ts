import { memberOf, type ResourceTree } from '../../../compiler/emit/clients/index.ts';
import type { GoApi } from './go-api.ts';
import { GoMethods } from './go-methods.ts';
import { type GoNames, goName } from './go-names.ts';

/** Names of methods, which no field of the same struct may have. */
const METHODS = new Set(
  'List Page Get Create Replace ReplaceIfUnchanged Update UpdateIfUnchanged Change Delete DeleteIfUnchanged ClientWithResponses'.split(
    ' ',
  ),
);

/** `resources.go`: the client, and a type with the actions of each resource, which are calls of the package `api`. */
export function goResources(trees: readonly ResourceTree[], api: GoApi, names: GoNames): string {
  const types = namedTypes(trees);
  const fields = trees.map((tree) => `\t${fieldOf(tree)} *${types.get(tree)}\n`);
  const text = [...types].map(([tree, type]) => typeText(tree, type, types, api)).join('');
  const made = trees.map((tree) => `\t\t${fieldOf(tree)}: ${literalOf(tree, types)},\n`);
  const imports = [
    ['context.', '"context"'],
    ['iter.', '"iter"'],
    ['', ''],
    ['nullable.', '"github.com/oapi-codegen/nullable"'],
    ['openapi_types.', 'openapi_types "github.com/oapi-codegen/runtime/types"'],
    ['', ''],
    ['', `"${names.module}/api"`],
  ].filter(([word]) => text.includes(word!));
  return `package ${names.package}

import (
${imports.map(([, path]) => `\t${path}\n`).join('')})

// Client is the whole API: its resources, and each operation by its own name.
type Client struct {
	*api.ClientWithResponses
${fields.join('')}}

// New makes the client. What the API refuses is an error, of type [*Error].
func New(baseURL string, connection Connection) (*Client, error) {
	client, err := api.NewClientWithResponses(baseURL, api.WithHTTPClient(connection.withDefaults()))
	if err != nil {
		return nil, err
	}
	return &Client{
		ClientWithResponses: client,
${made.join('')}	}, nil
}
${text}`;
}

/** The name of the type of each resource, `OrdersItemsResource`; those above it come first. */
function namedTypes(trees: readonly ResourceTree[]): ReadonlyMap<ResourceTree, string> {
  const types = new Map<ResourceTree, string>();
  const taken = new Set<string>();
  const visit = (tree: ResourceTree, above: string): void => {
    let prefix = above + exported(tree.name);
    while (taken.has(prefix)) prefix += 'X';
    taken.add(prefix);
    types.set(tree, `${prefix}Resource`);
    for (const child of tree.children) visit(child, prefix);
  };
  for (const tree of trees) visit(tree, '');
  return types;
}

/** What a client calls each resource, by its key: `Orders.Items`. */
export function goResourceNames(trees: readonly ResourceTree[], above = ''): ReadonlyMap<string, string> {
  return new Map(
    trees.flatMap((tree) => {
      const name = above + fieldOf(tree);
      return [
        ...(tree.resource ? [[tree.resource.key, name] as const] : []),
        ...goResourceNames(tree.children, `${name}.`),
      ];
    }),
  );
}

/** The name of a resource in the client, and in the one above it. */
function fieldOf(tree: ResourceTree): string {
  const name = exported(memberOf(tree));
  return METHODS.has(name) ? `${name}Resource` : name;
}

/** A name does not begin with a digit. */
const exported = (name: string): string => goName(name).replace(/^(?=\d)|^$/, 'X');

function literalOf(tree: ResourceTree, types: ReadonlyMap<ResourceTree, string>): string {
  const children = tree.children.map((child) => `, ${fieldOf(child)}: ${literalOf(child, types)}`);
  return `&${types.get(tree)}{api: client${children.join('')}}`;
}

function typeText(tree: ResourceTree, type: string, types: ReadonlyMap<ResourceTree, string>, api: GoApi): string {
  const children = tree.children.map((child) => `\t${fieldOf(child)} *${types.get(child)}\n`);
  return `
// ${type} is what there is at ${tree.resource?.path ?? `/${tree.name}`}.
type ${type} struct {
	api *api.ClientWithResponses
${children.join('')}}
${tree.resource ? new GoMethods(tree.resource, type, api).text() : ''}`;
}
