import type { GraphQLField, GraphQLObjectType, GraphQLSchema } from 'graphql';
import type { GraphqlDescriptor } from '../../descriptor/graphql.ts';

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

/** The same without those of totals and batches, whose selection or items are the caller's: no document fits all. */
export const documentedFields = (schema: GraphQLSchema, { fields }: GraphqlDescriptor): readonly RootField[] =>
  rootFields(schema).filter(({ type, field }) => {
    const { kind } = fields[`${type.name}.${field.name}`] ?? {};
    return kind !== 'totals' && kind !== 'batch';
  });
