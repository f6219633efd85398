import type { Entity } from '../../engine/interface/engine.ts';
import type { ResourceMap } from '../../engine/interface/resource-types.ts';
import { batchResolver } from './batch-resolver.ts';
import { createResolver } from './create-resolver.ts';
import { fieldResolver, rootResolver } from './custom-resolvers.ts';
import { eventResolver } from './event-resolvers.ts';
import { linkResolver } from './link-resolver.ts';
import { operationResolver } from './operation-resolver.ts';
import { connectionResolver, getResolver, listResolver, referenceResolver, throughResolver } from './read-resolvers.ts';
import type { ResolverRuntime } from './resolver-runtime.ts';
import type { ResolverBinder } from './resolvers.ts';
import { totalsResolver } from './totals-resolver.ts';
import { deleteResolver, rewriteResolver } from './write-resolvers.ts';

/** Binds fields to the actions of an engine. */
export function createResolverBinder<R extends ResourceMap<R>>(runtime: ResolverRuntime): ResolverBinder<R> {
  return {
    list: (key) => listResolver(runtime, key as string),
    get: (key, ...by) => getResolver(runtime, key as string, by),
    create: (key) => createResolver(runtime, key as string),
    replace: (key) => rewriteResolver(runtime, key as string, 'replace'),
    update: (key) => rewriteResolver(runtime, key as string, 'update'),
    delete: (key) => deleteResolver(runtime, key as string),
    reference: (key, property) => referenceResolver(runtime, key as string, property),
    connection: (key, property) => connectionResolver(runtime, key as string, property),
    through: (key, operation) => throughResolver(runtime, key as string, operation),
    batch: (key, operation) => batchResolver(runtime, key as string, operation),
    totals: (key, operation) => totalsResolver(runtime, key as string, operation),
    link: (key, operation) => linkResolver(runtime, key as string, operation, 'link'),
    unlink: (key, operation) => linkResolver(runtime, key as string, operation, 'unlink'),
    property:
      <P extends string>(property: P) =>
      <T>(parent: { readonly [_ in P]?: T }) =>
        parent[property] as T,
    integerId:
      <P extends string>(property: P) =>
      <T extends number | null>(parent: { readonly [_ in P]?: T }) => {
        const value = parent[property];
        return typeof value === 'number' ? String(value) : (value as Exclude<T, number>);
      },
    created: <K extends keyof R, F extends string>(key: K, field: F) =>
      eventResolver(runtime, key as string, 'created', field, viewOf<R[K]['resource']>),
    updated: <K extends keyof R, F extends string>(key: K, field: F) =>
      eventResolver(runtime, key as string, 'updated', field, viewOf<R[K]['resource']>),
    deleted: (key, field) => eventResolver(runtime, key as string, 'deleted', field, ({ id }) => String(id)),
    operation: (operation) => operationResolver(runtime, operation),
    root: (handler) => rootResolver(runtime, handler),
    field: (handler) => fieldResolver(runtime, handler),
    union: <P extends string, const Types extends Readonly<Record<string, string>>>(property: P, types: Types) => ({
      resolveType: (value: { readonly [_ in P]: string }) => types[value[property]] as Types[keyof Types],
    }),
  };
}

const viewOf = <Row>({ view }: Entity<Row>): Row => view;
