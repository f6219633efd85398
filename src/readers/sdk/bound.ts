import type { Client } from './client.ts';
import type { ApiCall, ConditionalCall } from './operation.ts';

/** Functions that take a client first, and groups of them, without that argument. */
export type Bound<Api> = { readonly [Name in keyof Api]: BoundMember<Api[Name]> };

type BoundMember<Member> = Member extends (client: Client, ...args: infer Args) => infer Answer
  ? (...args: Args) => Answer
  : BoundResource<Member>;

type BoundResource<Resource> = {
  readonly [Name in keyof Resource]: Name extends 'get' ? BoundGet<Resource[Name]> : BoundMember<Resource[Name]>;
};

/** Of two overloads, both. */
type BoundGet<Get> = Get extends {
  (client: Client, ...args: infer Conditional): ConditionalCall<infer Data>;
  (client: Client, ...args: infer Args): ApiCall<unknown>;
}
  ? { (...args: Conditional): ConditionalCall<Data>; (...args: Args): ApiCall<Data> }
  : never;

type Member = ((client: Client, ...args: readonly unknown[]) => unknown) | object;

/** A client that has the functions of `api` as methods, and its groups as members. */
export function bound<Base extends Client, Api extends object>(client: Base, api: Api): Base & Bound<Api> {
  return { ...client, ...membersOf(client, api) } as Base & Bound<Api>;
}

function membersOf(client: Client, api: object): object {
  const members = Object.entries(api) as [string, Member][];
  return Object.fromEntries(
    members.map(([name, member]) => [
      name,
      typeof member === 'function'
        ? (...args: readonly unknown[]) => member(client, ...args)
        : membersOf(client, member),
    ]),
  );
}
