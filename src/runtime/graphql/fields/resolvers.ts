import type { GraphQLResolveInfo } from 'graphql';
import type { Id, OwnRole } from '../../../descriptor/resource.ts';
import type { FieldHandler, HandlerContext, RootFieldHandler } from '../../engine/interface/field-handler.ts';
import type { FurtherNames, ResourceMap, ResourcesWith, ResourceTypes } from '../../engine/interface/resource-types.ts';
import type { Operation } from '../../operations/operation.ts';
import type { GraphqlContext } from './context.ts';

/** Resolves a field, like graphql-codegen's `ResolverFn`. */
export type Resolve<Answer, Parent, Args> = (
  parent: Parent,
  args: Args,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
) => Promise<Answer>;

/** Resolves one field of `Subscription` to a stream of events. */
export interface Stream<Field extends string, Event, Args> {
  readonly subscribe: (
    parent: unknown,
    args: Args,
    context: GraphqlContext,
    info: GraphQLResolveInfo,
  ) => Promise<AsyncIterable<{ readonly [_ in Field]: Event }>>;
}

export interface PageArguments {
  readonly first: number;
  readonly after?: string | null;
  readonly last?: number | null;
  readonly before?: string | null;
}

/** A page (Relay's GraphQL Cursor Connections Specification). */
export interface ConnectionOf<Row> {
  readonly edges: readonly { readonly cursor: string; readonly node: Row }[];
  readonly nodes: readonly Row[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly totalCount: number;
  readonly totalCountIsExact: boolean;
}

export interface Identified {
  readonly id: Id;
}
export interface Written {
  readonly input: unknown;
}
type Rows<R extends ResourceMap<R>> = { readonly [K in keyof R]: R[K]['resource'] };
/** GraphQL gives ids as texts, whatever they are in JSON. */
type Params<R extends ResourceMap<R>> = {
  readonly [K in keyof R]: { readonly [P in keyof ArgumentsOf<R[K]>]: Id };
};
/** The arguments that name one: `id`, or the key of its path. */
type Naming<T extends ResourceTypes> = T extends { readonly key: infer Key } ? Key : Identified;
/** What one may be read by. */
type ReadKey<T extends ResourceTypes> = 'id' | (keyof NonNullable<T['key']> & string) | FurtherNames<T, 'get'>;
type ArgumentsOf<T extends ResourceTypes> = T extends { readonly arguments: infer A extends object } ? A : T['params'];
/** Resources whose changes can be read. */
type Readable<R extends ResourceMap<R>> = ResourcesWith<R, 'get'> | ResourcesWith<R, 'list'>;

/** What a handler answers, as GraphQL has it: what is undefined is null, in lists too. */
export type Answered<T> = T extends undefined ? null : T extends readonly (infer E)[] ? readonly Answered<E>[] : T;

/** Binds fields to further operations of resources. */
export type FurtherFieldBinder<R extends ResourceMap<R>> = {
  readonly [O in OwnRole]: <K extends keyof R & string, Answer = never>(
    resource: K,
    operation: FurtherNames<R[K], O>,
  ) => Resolve<Answer, unknown, object>;
};

/** Binds fields to actions like `RouteBinder`: `bind.get('products')` is the get action of `products`. */
export interface ResolverBinder<R extends ResourceMap<R>> extends FurtherFieldBinder<R> {
  list<K extends ResourcesWith<R, 'list'>>(
    resource: K,
  ): Resolve<ConnectionOf<Rows<R>[K]>, unknown, PageArguments & Params<R>[K]>;
  /** With properties, exactly one of them is given. */
  get<K extends ResourcesWith<R, 'get'>, By extends readonly ReadKey<R[K]>[]>(
    resource: K,
    ...by: By
  ): Resolve<Rows<R>[K], unknown, (By extends readonly [] ? Naming<R[K]> : object) & Params<R>[K]>;
  create<K extends ResourcesWith<R, 'create'>>(resource: K): Resolve<Rows<R>[K], unknown, Written & Params<R>[K]>;
  replace<K extends ResourcesWith<R, 'replace'>>(
    resource: K,
  ): Resolve<Rows<R>[K], unknown, Naming<R[K]> & Written & Params<R>[K]>;
  update<K extends ResourcesWith<R, 'update'>>(
    resource: K,
  ): Resolve<Rows<R>[K], unknown, Naming<R[K]> & Written & Params<R>[K]>;
  /** Resolves to the id. */
  delete<K extends ResourcesWith<R, 'delete'>>(resource: K): Resolve<string, unknown, Naming<R[K]> & Params<R>[K]>;
  /** The resource that a property of the parent refers to, or null. */
  reference<K extends ResourcesWith<R, 'get'>, P extends string>(
    resource: K,
    property: P,
  ): Resolve<Rows<R>[K] | null, { readonly [_ in P]?: Id | null }, unknown>;
  /** The resources whose property refers to the parent; without a property, the sub-resources of the parent. */
  connection<K extends ResourcesWith<R, 'list'>>(
    resource: K,
    property?: keyof Rows<R>[K] & string,
  ): Resolve<ConnectionOf<Rows<R>[K]>, Identified, PageArguments>;
  /** The resources that another joins to the parent, as an operation lists them. */
  through<K extends ResourcesWith<R, 'list'>>(
    resource: K,
    operation: FurtherNames<R[K], 'list'>,
  ): Resolve<ConnectionOf<Rows<R>[K]>, Identified, PageArguments>;
  /** A property of the parent under another name than the field's. */
  property<P extends string>(property: P): <T>(parent: { readonly [_ in P]?: T }) => T;
  /** The same of an integer that is an `ID`: its digits. */
  integerId<P extends string>(
    property: P,
  ): <T extends number | null>(parent: { readonly [_ in P]?: T }) => string | Exclude<T, number>;
  created<K extends Readable<R>, F extends `${string}Created`>(resource: K, field: F): Stream<F, Rows<R>[K], unknown>;
  updated<K extends Readable<R>, F extends `${string}Updated`>(resource: K, field: F): Stream<F, Rows<R>[K], unknown>;
  /** Events have the id. */
  deleted<K extends Readable<R>, F extends `${string}Deleted`>(resource: K, field: F): Stream<F, string, unknown>;
  /** The field of a custom operation, which REST has as well. */
  operation<Answer = never>(operation: Operation): Resolve<Answer, unknown, object>;
  /** A field of `Query` or `Mutation` with code of its own. */
  root<Args, Answer>(handler: RootFieldHandler<Args, Answer, R>): Resolve<Answered<Answer>, unknown, Args>;
  /** A field of any other type with code of its own, which resolves it for all parents of a level together. */
  field<Parent, Args, Answer>(handler: FieldHandler<Parent, Args, Answer, R>): Resolve<Answered<Answer>, Parent, Args>;
  /** The type of a value of a union, by its discriminator. */
  union<P extends string, const Types extends Readonly<Record<string, string>>>(
    property: P,
    types: Types,
  ): { readonly resolveType: (value: { readonly [_ in P]: string }) => Types[keyof Types] };
}

/**
 * The argument of `resolvers` in `generated/resolvers.ts`: `bind` binds fields to the actions of resources, `operations` has
 * the custom operations, and `fields` the code of fields without one.
 * @example
 * import type { ResolverWiring } from 'lockstep';
 * import type { Fields, Operations, Resources } from '../../generated/handlers.ts';
 *
 * const query = ({ bind }: ResolverWiring<Resources, Fields, Operations>) => ({ product: bind.get('products') });
 */
export interface ResolverWiring<R extends ResourceMap<R>, Fields, Operations> {
  readonly bind: ResolverBinder<R>;
  readonly fields: Fields;
  readonly operations: { readonly [Id in keyof Operations]: Operation };
}

/**
 * The context of a resolver in `handlers.resolvers`, which reads from `store` and writes in a `transaction`.
 * @example
 * import type { ResolverContext } from 'lockstep';
 * import type { Handlers, Resources } from '../../generated/handlers.ts';
 *
 * const product = async ({ store }: ResolverContext<Resources>, id: string) => (await store.products.get(id)) ?? null;
 *
 * export const resolvers: Handlers['resolvers'] = {
 *   Review: { product: ({ productId }, _args, context) => product(context, productId) },
 * };
 */
export interface ResolverContext<R, Code extends string = string> extends GraphqlContext, HandlerContext<R, Code> {}
