import { type ConstDirectiveNode, type GraphQLSchema, getDirectiveValues } from 'graphql';
import type { Access } from '../../../descriptor/access.ts';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import type { ListDescriptor, ResourceDescriptor } from '../../../descriptor/resource.ts';
import { bearerScheme } from '../fields/access-of.ts';
import { sortName } from '../fields/names.ts';

/** The type of a field and its arguments, by name, as the conventions have them. */
export interface Signature {
  readonly type: string;
  readonly args: Readonly<Record<string, string>>;
}

/** A field as it is written in SDL: `deleteBook(id: ID!, ifVersion: Int): ID! @auth(scopes: ["books:write"])`. */
export function fieldText(name: string, { type, args }: Signature, ...directives: readonly string[]): string {
  const list = Object.entries(args).map(([argument, value]) => `${argument}: ${value}`);
  const written = list.length === 0 ? '' : `(${list.join(', ')})`;
  return [`${name}${written}: ${type}`, ...directives].filter((part) => part !== '').join(' ');
}

/** The `@auth` directives of an access rule; empty when anybody may. Undefined for a rule that SDL has no words for. */
export function authText({ anyOf }: Access, document: OpenApiDocument): string | undefined {
  if (anyOf.some(({ schemes }) => schemes.length === 0)) return '';
  if (anyOf.some(({ schemes }) => schemes.length > 1)) return undefined;
  const usual = bearerScheme(document);
  const alternatives = anyOf.map(({ schemes: [scheme] }) => {
    const scopes = `scopes: [${scheme!.scopes.map((scope) => JSON.stringify(scope)).join(', ')}]`;
    return `@auth(${scopes}${scheme!.name === usual ? '' : `, scheme: ${JSON.stringify(scheme!.name)}`})`;
  });
  return [...new Set(alternatives)].join(' ');
}

/** The arguments of a list with their default values. */
export function listArgumentsWithDefaults(
  args: Readonly<Record<string, string>>,
  { list }: ResourceDescriptor,
): Record<string, string> {
  const order = list?.defaultSort.map(sortName).join(', ');
  return {
    ...args,
    first: `${args['first']} = ${list?.defaultLimit}`,
    ...(order && { sort: `${args['sort']} = [${order}]` }),
  };
}

/** The directive that bounds the cost of a list. */
export const listSizeText = (list: ListDescriptor | undefined): string => {
  const slices = list?.pagesBack ? '["first", "last"]' : '["first"]';
  return `@listSize(assumedSize: ${list?.maximumLimit}, slicingArguments: ${slices}, sizedFields: ["edges", "nodes"])`;
};

/** A node of a schema that may have directives. */
export interface SdlNode {
  readonly astNode?: { readonly directives?: readonly ConstDirectiveNode[] } | null | undefined;
}

/** The arguments of a directive; undefined where a node does not have it. */
export function directiveOf(
  schema: GraphQLSchema,
  { astNode }: SdlNode,
  name: string,
): Readonly<Record<string, unknown>> | undefined {
  const directives = astNode?.directives;
  return directives ? getDirectiveValues(schema.getDirective(name)!, { directives }) : undefined;
}

/** Whether REST is said to lack something (`@parity`). */
export const isRestAbsent = (schema: GraphQLSchema, node: SdlNode): boolean =>
  directiveOf(schema, node, 'parity') !== undefined;

/** Whether REST deliberately lacks something, or custom code answers it. */
export const isDeliberate = (schema: GraphQLSchema, node: SdlNode): boolean =>
  isRestAbsent(schema, node) || directiveOf(schema, node, 'operation') !== undefined;
