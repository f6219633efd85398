import type { Access } from '../../../descriptor/access.ts';
import { type GraphqlDescriptor, partsOfCoordinate } from '../../../descriptor/graphql.ts';
import type { Session } from '../../admission/session.ts';
import type { Engine } from '../../engine/interface/engine.ts';
import { accessOf } from './wire-resolvers.ts';

/** The access of each guarded field, by type and field. */
export type Policies = Readonly<Record<string, Readonly<Record<string, Access>>>>;

const EVENTS = new Set(['created', 'updated', 'deleted']);

/** The policies of mercurius-auth. Subscriptions check access themselves: when they start, and for each event. */
export function policiesOf({ fields }: GraphqlDescriptor, engine: Engine): Policies {
  const guarded = Object.entries(fields).flatMap(([coordinate, field]) => {
    const access = accessOf(engine, field);
    return EVENTS.has(field.kind) || access.anyOf.length === 0 ? [] : [{ ...partsOfCoordinate(coordinate), access }];
  });
  const byType = Map.groupBy(guarded, ({ type }) => type);
  const policyOf = (some: typeof guarded) => Object.fromEntries(some.map(({ field, access }) => [field, access]));
  return Object.fromEntries([...byType].map(([type, some]) => [type, policyOf(some)]));
}

/** The door of each guarded field, as a policy of mercurius-auth. */
export async function admitField(
  access: Access,
  _parent: unknown,
  _args: unknown,
  { session }: { readonly session: Session },
): Promise<true> {
  session.admit(access);
  return true;
}
