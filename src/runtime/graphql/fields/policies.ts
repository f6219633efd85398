import type { Access } from '../../../descriptor/access.ts';
import { type GraphqlDescriptor, partsOfCoordinate } from '../../../descriptor/graphql.ts';
import type { Engine } from '../../engine/interface/engine.ts';
import { accessOf } from './wire-resolvers.ts';

/** The access of each guarded field, by type and field. */
export type Policies = Readonly<Record<string, Readonly<Record<string, Access>>>>;

const EVENTS = new Set(['created', 'updated', 'deleted']);

/** The policies of mercurius-auth. Subscriptions check access themselves: when they start, and for each event. */
export function policiesOf({ fields }: GraphqlDescriptor, engine: Engine): Policies {
  const policies: Record<string, Record<string, Access>> = {};
  for (const [coordinate, field] of Object.entries(fields)) {
    const access = accessOf(engine, field);
    if (EVENTS.has(field.kind) || access.anyOf.length === 0) continue;
    const { type, field: name } = partsOfCoordinate(coordinate);
    policies[type] = { ...policies[type], [name]: access };
  }
  return policies;
}
