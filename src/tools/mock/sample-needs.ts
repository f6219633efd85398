import { requestsById, type SampleRequest } from '../../compiler/emit/sample-requests.ts';
import { isPlainObject } from '../../compiler/model/access/plain-object.ts';
import { collectOperations } from '../../compiler/model/operations.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import {
  isReferring,
  namingProperty,
  type PropertyDescriptor,
  type ResourceDescriptor,
} from '../../descriptor/resource.ts';

export type Values = Readonly<Record<string, unknown>>;

/** What sample requests need of the rows of a resource. */
export interface SampleNeeds {
  /** What the first rows have: the one that samples read and change, the one that they delete, others that they refer to. */
  readonly rows: readonly Values[];
  /** How many of them are below the rows that samples read. */
  readonly below: number;
  /** The row that is deleted, to which nothing refers. */
  readonly deleted: Values | undefined;
  /** What a new row is made of: no other has its keys. */
  readonly created: Values | undefined;
}

/** The needs of each resource, by its key. */
export function sampleNeeds(contract: CompiledContract): ReadonlyMap<string, SampleNeeds> {
  const { document, resources } = contract;
  const requests = requestsById({ document, resources, operations: collectOperations(document) });
  const bodies = [...requests.values()].flatMap(({ body }) => (isPlainObject(body?.value) ? [body.value] : []));
  const referring = resources.flatMap((one) => one.properties).filter(isReferring);
  return new Map(
    resources.map((resource) => {
      const named = referring.filter(({ references }) => references.resource === resource.key);
      const ids = named.flatMap(({ name }) => bodies.map((body) => body[name]));
      return [resource.key, needsOf(resource, requests, new Set(ids.filter((id) => id != null)))];
    }),
  );
}

function needsOf(
  resource: ResourceDescriptor,
  requests: ReadonlyMap<string, SampleRequest>,
  ids: ReadonlySet<unknown>,
): SampleNeeds {
  const { actions, lookups = [] } = resource;
  const of = (operationId: string | undefined) => (operationId === undefined ? undefined : requests.get(operationId));
  const bodyOf = (action: 'create' | 'replace' | 'update'): Values | undefined => {
    const value = of(actions[action]?.operationId)?.body?.value;
    return isPlainObject(value) ? value : undefined;
  };
  const own = namingProperty(resource);
  const keyOf = (operationId: string | undefined): Values => {
    const value = of(operationId)?.inPath.at(-1)?.given;
    return value === undefined ? {} : { [own]: value };
  };
  const kept = {
    ...Object.fromEntries(lookups.map((one) => [one.property, of(one.operationId)?.inPath[0]?.given])),
    ...keyOf(actions.get?.operationId),
    ...changeable(resource, bodyOf('replace'), bodyOf('update')),
  };
  const spare = keyOf(actions.delete?.operationId);
  const deleted = spare[own] === undefined || spare[own] === kept[own] ? undefined : spare;
  const known = [kept, ...(deleted ? [deleted] : [])];
  const others = [...ids].filter((id) => known.every((row) => row['id'] !== id)).map((id): Values => ({ id }));
  return { rows: [...known, ...others], below: known.length, deleted, created: bodyOf('create') };
}

/** What a row has that can be replaced and updated as the samples do. */
function changeable(
  { properties, unique, owner }: ResourceDescriptor,
  replacement: Values | undefined,
  patch: Values | undefined,
): Values {
  const keys = new Set(unique.flat());
  const pinned = properties.flatMap((property): readonly (readonly [string, unknown])[] => {
    const { name, origin, immutable, initial, nullable, transitions } = property;
    if (origin !== 'input' || name === owner?.property) return [];
    if (transitions) return [[name, stateFor(property, replacement, patch)]];
    if (!replacement || !(immutable || (keys.has(name) && name in replacement))) return [];
    return [[name, name in replacement ? replacement[name] : (initial ?? (nullable ? null : undefined))]];
  });
  return Object.fromEntries(pinned);
}

/** A state that may become what the samples send. */
function stateFor(
  { name, transitions = {}, initial }: PropertyDescriptor,
  replacement: Values | undefined,
  patch: Values | undefined,
): unknown {
  const sent = [
    ...(replacement ? [replacement[name] ?? initial] : []),
    ...(patch && name in patch ? [patch[name]] : []),
  ];
  const leadsTo = (state: unknown): boolean =>
    sent.every((next) => next === state || transitions[String(state)]?.includes(String(next)) === true);
  return [initial, ...Object.keys(transitions)].find(leadsTo) ?? initial;
}
