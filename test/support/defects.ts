import type { GraphqlDescriptor } from '../../src/descriptor/graphql.ts';
import type { Action, ResourceDescriptor } from '../../src/descriptor/resource.ts';
import type { WireReply, WireRequest } from '../../src/proving/harness/request.ts';
import type { ServerOptions } from '../../src/runtime/server.ts';
import type { Reader, Store } from '../../src/runtime/storage/store.ts';

// What a proof must find.

export type Change = (options: ServerOptions) => ServerOptions;

export function resource(key: string, change: (resource: ResourceDescriptor) => ResourceDescriptor): Change {
  return ({ contract, ...options }) => {
    const resources = contract.resources.map((one) => (one.key === key ? change(one) : one));
    return { ...options, contract: { ...contract, resources } };
  };
}

export function withAccess(action: Action) {
  return ({ actions, ...rest }: ResourceDescriptor): ResourceDescriptor => {
    const access = { anyOf: [{ schemes: [{ name: 'bearer', scopes: [] }] }] };
    return { ...rest, actions: { ...actions, [action]: { ...actions[action]!, access } } };
  };
}

export function sdl(from: string | RegExp, to: string): Change {
  return ({ contract, ...options }) => {
    const graphql = contract.graphql!;
    return { ...options, contract: { ...contract, graphql: { ...graphql, sdl: graphql.sdl.replace(from, to) } } };
  };
}

export function descriptor(change: (graphql: GraphqlDescriptor) => GraphqlDescriptor): Change {
  return ({ contract, ...options }) => {
    const graphql = contract.graphql!;
    const changed = { ...graphql, descriptor: change(graphql.descriptor) };
    return { ...options, contract: { ...contract, graphql: changed } };
  };
}

export type Reads = Pick<Reader, 'get' | 'list' | 'count' | 'listEach' | 'countEach' | 'totals'>;

export function reading(change: (store: Reads) => Reads): (options: ServerOptions) => ServerOptions {
  return ({ store, ...options }) => ({ ...options, store: readingBy(store, change) });
}

export function readingBy(store: Store, change: (store: Reads) => Reads): Store {
  const { get, list, count, listEach, countEach, totals } = change(store);
  const faulty: Store = { ...store, get, list, count, listEach, countEach, totals, reads: () => faulty };
  return faulty;
}

export function text(from: RegExp, to: string): (reply: WireReply) => WireReply {
  return ({ status, text: answered }) => {
    const changed = answered.replaceAll(from, to);
    return { status, text: changed, json: changed === '' ? undefined : JSON.parse(changed) };
  };
}

export type Variables = Record<string, unknown>;

export function variables(change: (given: Variables) => unknown): (request: WireRequest) => WireRequest {
  return (request) => {
    const body = JSON.parse(request.body!);
    return { ...request, body: JSON.stringify({ ...body, variables: change(body.variables) }) };
  };
}

/** Changes the arguments of tools. */
export function called(change: (given: Variables) => unknown): (request: WireRequest) => WireRequest {
  return (request) => {
    const { params, ...message } = JSON.parse(request.body!);
    if (!params) return request;
    return {
      ...request,
      body: JSON.stringify({ ...message, params: { ...params, arguments: change(params.arguments) } }),
    };
  };
}
