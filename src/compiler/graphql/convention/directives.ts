import {
  type ASTNode,
  type ConstDirectiveNode,
  type GraphQLField,
  type GraphQLSchema,
  getDirectiveValues,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isObjectType,
  valueFromASTUntyped,
} from 'graphql';
import type { Access } from '../../../descriptor/access.ts';
import { isBearer } from '../../../descriptor/bearer.ts';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import { ASSUMED_LIST_LENGTH } from '../../../descriptor/graphql.ts';
import type { ListDescriptor } from '../../../descriptor/resource.ts';
import { securitySchemes } from '../../model/security-schemes.ts';

interface AuthArguments {
  readonly scopes?: string | readonly string[];
  readonly scheme?: string;
}

/** The access to a field: its `@auth` directives are alternatives. */
export function accessOf(field: GraphQLField<unknown, unknown>, document: OpenApiDocument): Access {
  const directives = field.astNode?.directives?.filter(({ name }) => name.value === 'auth') ?? [];
  return {
    anyOf: directives.map(({ arguments: args = [] }) => {
      const values = args.map(({ name, value }) => [name.value, valueFromASTUntyped(value)]);
      const { scopes = [], scheme = bearerScheme(document) } = Object.fromEntries(values) as AuthArguments;
      return { schemes: [{ name: scheme, scopes: [scopes].flat() }] };
    }),
  };
}

/** The same as Security Requirement Objects. */
export const securityOf = (field: GraphQLField<unknown, unknown>, document: OpenApiDocument) =>
  accessOf(field, document).anyOf.map(({ schemes }) =>
    Object.fromEntries(schemes.map(({ name, scopes }) => [name, scopes])),
  );

/** The scheme of bearer tokens, or else the first scheme. */
function bearerScheme(document: OpenApiDocument): string {
  const schemes = Object.entries(securitySchemes(document));
  return (schemes.find(([, scheme]) => isBearer(scheme)) ?? schemes[0])?.[0] ?? 'bearer';
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

/** The directives that give a field the access of an operation; none where anybody may, or where SDL has no words for it. */
export function authDirectives(document: OpenApiDocument, access: Access | undefined): readonly string[] {
  const text = access && authText(access, document);
  return text ? text.split(/ (?=@auth)/) : [];
}

/** The directive that bounds the cost of a list. */
export const listSizeText = (list: ListDescriptor | undefined): string => {
  const slices = list?.pagesBack ? '["first", "last"]' : '["first"]';
  return `@listSize(assumedSize: ${list?.maximumLimit}, slicingArguments: ${slices}, sizedFields: ["edges", "nodes"])`;
};

/** The field of an object type: `Query.books`. */
export function fieldAt(schema: GraphQLSchema, coordinate: string): GraphQLField<unknown, unknown> | undefined {
  const [typeName = '', fieldName = ''] = coordinate.split('.');
  const type = schema.getType(typeName);
  return isObjectType(type) ? type.getFields()[fieldName] : undefined;
}

/** A node of a schema that may have directives. */
export interface SdlNode {
  readonly astNode?: (ASTNode & { readonly directives?: readonly ConstDirectiveNode[] | undefined }) | null | undefined;
}

/** The arguments of a directive; undefined where a node does not have it. */
export function directiveOf(
  schema: GraphQLSchema,
  { astNode }: SdlNode,
  name: string,
): Readonly<Record<string, unknown>> | undefined {
  const definition = schema.getDirective(name);
  const directives = astNode?.directives;
  return definition && directives ? getDirectiveValues(definition, { directives }) : undefined;
}

/** What a field weighs without what it selects (IBM's GraphQL Cost Directives), as the server adds it up. */
export function weightOf(schema: GraphQLSchema, field: GraphQLField<unknown, unknown>): number {
  const type = getNamedType(field.type);
  const written = directiveOf(schema, field, 'cost') ?? directiveOf(schema, type, 'cost');
  return written ? Number(written['weight']) : isCompositeType(type) ? 1 : 0;
}

/** How many entries a field is assumed to have. */
export function lengthOf(schema: GraphQLSchema, field: GraphQLField<unknown, unknown>): number {
  const size = directiveOf(schema, field, 'listSize')?.['assumedSize'];
  if (typeof size === 'number') return size;
  return isListType(getNullableType(field.type)) ? ASSUMED_LIST_LENGTH : 1;
}

/** Whether REST is said to lack something (`@parity`). */
export const isRestAbsent = (schema: GraphQLSchema, node: SdlNode): boolean =>
  directiveOf(schema, node, 'parity') !== undefined;

/** Whether REST deliberately lacks something, or custom code answers it. */
export const isDeliberate = (schema: GraphQLSchema, node: SdlNode): boolean =>
  isRestAbsent(schema, node) || directiveOf(schema, node, 'operation') !== undefined;
