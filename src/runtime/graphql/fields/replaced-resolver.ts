import type { GraphQLResolveInfo } from 'graphql';
import type { Access } from '../../../descriptor/access.ts';
import type { AnyResources } from '../../engine/interface/untyped.ts';
import type { GraphqlContext } from './context.ts';
import { tenantGroupsOf } from './custom-resolvers.ts';
import type { ResolverRuntime } from './resolver-runtime.ts';
import type { ResolverContext } from './resolvers.ts';

type Resolver = (parent: never, args: never, context: never, info: GraphQLResolveInfo) => unknown;
/** An untyped resolver: a function, the `subscribe` of a field of `Subscription`, or the `resolveType` of a union. */
export type AnyResolver =
  | Resolver
  | { readonly subscribe: Resolver; readonly resolve?: Resolver }
  | { readonly resolveType: (value: never) => string };
/** Hand-written resolvers in place of those that `generated/resolvers.ts` binds, by type and field. */
export type Replacements = Readonly<Record<string, Readonly<Record<string, AnyResolver>> | undefined>>;

/** Coordinates of the replaced fields: `Product.reviews`. */
export const replacedFields = (replacements: Replacements): ReadonlySet<string> =>
  new Set(
    Object.entries(replacements).flatMap(([type, fields = {}]) =>
      Object.keys(fields).map((field) => `${type}.${field}`),
    ),
  );

/** Gives a hand-written resolver the context of a handler, for callers admitted by the field's access. */
export function replacedResolver(runtime: Runtime, access: Access, resolver: AnyResolver): AnyResolver {
  if (typeof resolver === 'function') return inHandlerContext(runtime, access, resolver);
  if (!('subscribe' in resolver)) return resolver;
  const subscribe = inHandlerContext(runtime, access, resolver.subscribe);
  return {
    ...resolver,
    subscribe: (parent: never, args: never, context: GraphqlContext, info: GraphQLResolveInfo) => {
      context.session.admit(access);
      return subscribe(parent, args, context as never, info);
    },
  } as AnyResolver;
}

type Runtime = Pick<ResolverRuntime, 'engine' | 'descriptor'>;

function inHandlerContext(runtime: Runtime, access: Access, resolver: Resolver): Resolver {
  const { engine } = runtime;
  return async (parent, args, context: GraphqlContext, info) => {
    const caller = context.session.callerFor(access);
    const [group] = await tenantGroupsOf(runtime, info.parentType.name, caller, [parent]);
    const call = { caller, params: {}, scope: group!.scope };
    return engine.perform({ ...call, reads: true }, async (reading) => {
      const own: ResolverContext<AnyResources> = {
        ...context,
        ...reading,
        transaction: (work) => engine.perform({ ...call, reads: false }, work),
      };
      return resolver(parent, args, own as never, info);
    });
  };
}
