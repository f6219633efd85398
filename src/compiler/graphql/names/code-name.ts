import {
  type GraphQLSchema,
  isAbstractType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
} from 'graphql';
import { upperFirst } from '../../model/naming.ts';

/** Types of TypeScript and of graphql-codegen by whose names its output uses them. */
const TAKEN = new Set(
  `Array AsyncIterable AsyncIterator DirectiveResolverFn Exact Exclude Extract GraphQLResolveInfo GraphQLScalarType
  GraphQLScalarTypeConfig Incremental InputMaybe IsTypeOfResolverFn Maybe NextResolverFn NonNullable Omit Partial Pick Promise
  PropertyKey ReadonlyArray Record RequireFields Resolver ResolverFn ResolverTypeWrapper ResolverWithResolve Scalars
  SubscriptionObject SubscriptionResolveFn SubscriptionResolver SubscriptionResolverObject SubscriptionSubscribeFn SubscriptionSubscriberObject
  TypeResolveFn`.split(/\s+/),
);

/** The name of a type, or of a part of a name, in TypeScript: `RecordType` for a type `Record` of the schema. */
export function codeName(type: string): string {
  const name = upperFirst(type);
  return TAKEN.has(name) ? `${name}Type` : name;
}

/** Types of graphql-codegen that each schema has, and that cannot have another name. */
const FIXED = `DirectiveResolvers Resolvers ResolversInterfaceTypes ResolversParentTypes ResolversTypes ResolversUnionTypes`;

const OF_RESOLVERS = /(?<=.)(?:Resolvers|ScalarConfig)$/;
const OF_DOCUMENTS = /(?<=.)(?:Query|Mutation|Subscription)(?:Variables)?$/;
const OF_OTHERS = /^(?:Query|Mutation).+Args$|.Directive(?:Args|Resolver)$/;

/** Whether generated types may have a name for some type, scalar, field or directive. */
export const mayBeGenerated = (code: string): boolean =>
  [OF_RESOLVERS, OF_DOCUMENTS, OF_OTHERS, /.Args$/].some((one) => one.test(code)) || FIXED.split(' ').includes(code);

/** Whether generated types have a name for one of `owners`: types, scalars and fields. `isEnum`: it stands beside those for documents. */
export function isGenerated(code: string, owners: ReadonlySet<string>, isEnum: boolean): boolean {
  const parts = isEnum ? [OF_RESOLVERS, OF_DOCUMENTS] : [OF_RESOLVERS];
  const isOwned = parts.some((part) => part.test(code) && owners.has(code.replace(part, '')));
  return isOwned || OF_OTHERS.test(code) || FIXED.split(' ').includes(code);
}

/** By name of a type for resolvers: what it is made for. */
export function resolverTypeNames(schema: GraphQLSchema): ReadonlyMap<string, string> {
  const names = new Map(FIXED.split(' ').map((name) => [name, 'all resolvers']));
  for (const { name } of schema.getDirectives())
    for (const suffix of ['DirectiveArgs', 'DirectiveResolver']) names.set(codeName(name) + suffix, `\`@${name}\``);
  for (const type of Object.values(schema.getTypeMap()).filter((one) => !isIntrospectionType(one))) {
    const of = codeName(type.name);
    if (isScalarType(type)) names.set(`${of}ScalarConfig`, `\`${type.name}\``);
    if (isAbstractType(type) || isObjectType(type)) names.set(`${of}Resolvers`, `\`${type.name}\``);
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const { name, args } of Object.values(type.getFields()))
      if (args.length > 0) names.set(`${of}${codeName(name)}Args`, `\`${type.name}.${name}\``);
  }
  return names;
}

/** By name of a type for a document of the SDK, which stands beside those of enums and inputs: its field. */
export function documentTypeNames(schema: GraphQLSchema): ReadonlyMap<string, string> {
  const kinds = {
    Query: schema.getQueryType(),
    Mutation: schema.getMutationType(),
    Subscription: schema.getSubscriptionType(),
  };
  return new Map(
    Object.entries(kinds).flatMap(([kind, type]) =>
      Object.keys(type?.getFields() ?? {}).flatMap((field) =>
        [kind, `${kind}Variables`].map((suffix) => [codeName(field) + suffix, `\`${type!.name}.${field}\``]),
      ),
    ),
  );
}
