import { type GraphQLField, valueFromASTUntyped } from 'graphql';
import type { Access } from '../../../descriptor/access.ts';
import { isBearer } from '../../../descriptor/bearer.ts';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import { securitySchemes } from '../../model/security-schemes.ts';

interface Arguments {
  readonly scopes?: string | readonly string[];
  readonly scheme?: string;
}

/** The access to a field: its `@auth` directives are alternatives. */
export function accessOf(field: GraphQLField<unknown, unknown>, document: OpenApiDocument): Access {
  const directives = field.astNode?.directives?.filter(({ name }) => name.value === 'auth') ?? [];
  return {
    anyOf: directives.map(({ arguments: args = [] }) => {
      const values = args.map(({ name, value }) => [name.value, valueFromASTUntyped(value)]);
      const { scopes = [], scheme = bearerScheme(document) } = Object.fromEntries(values) as Arguments;
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
export function bearerScheme(document: OpenApiDocument): string {
  const schemes = Object.entries(securitySchemes(document));
  return (schemes.find(([, scheme]) => isBearer(scheme)) ?? schemes[0])?.[0] ?? 'bearer';
}
