import type { GraphQLField, GraphQLObjectType, GraphQLSchema } from 'graphql';
import { type GraphqlDescriptor, isFurtherField } from '../../descriptor/graphql.ts';
import { OWN_ROLES } from '../../descriptor/roles.ts';

export type RootKind = 'query' | 'mutation' | 'subscription';

/** A field of a root type. */
export interface RootField {
  readonly kind: RootKind;
  readonly type: GraphQLObjectType;
  readonly field: GraphQLField<unknown, unknown>;
}

/** Every field of the root types: queries, mutations, subscriptions. */
export function rootFields(schema: GraphQLSchema): readonly RootField[] {
  const roots = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  };
  return (Object.keys(roots) as RootKind[]).flatMap((kind) => {
    const type = roots[kind];
    return type ? Object.values(type.getFields()).map((field) => ({ kind, type, field })) : [];
  });
}

/** The same without those that callers compose. */
export const documentedFields = (schema: GraphQLSchema, { fields }: GraphqlDescriptor): readonly RootField[] =>
  rootFields(schema).filter(({ type, field }) => {
    const known = fields[`${type.name}.${field.name}`];
    return !known || !isFurtherField(known) || !OWN_ROLES[known.kind].isComposed;
  });
