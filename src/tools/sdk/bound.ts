import type { Client } from './client.ts';

/** Functions that take a client first, and groups of them, without that argument. */
export type Bound<Api> = { readonly [Name in keyof Api]: BoundMember<Api[Name]> };

type BoundMember<Member> = Member extends (client: Client, ...args: infer Args) => infer Answer
  ? (...args: Args) => Answer
  : Bound<Member>;

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
