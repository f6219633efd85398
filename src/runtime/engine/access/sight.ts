import { type MaybePromise, whenKnown } from '../../async/maybe-promise.ts';
import type { Principal } from '../../auth/principal.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Condition, Reader, Row } from '../../storage/store.ts';
import type { Resource } from '../resource/resource.ts';
import type { Values } from '../resource/row-codec.ts';
import { shownAll } from './fields.ts';
import { NOTHING } from './filter.ts';

/** Which rows hand-written code finds, and which of their properties. */
export interface Sight {
  /** The name under which code has the tables. */
  readonly name: 'store' | 'asCaller';
  /** The conditions on the rows that exist for it. */
  rowsOf(resource: Resource): readonly Condition[];
  /** The condition on the rows of which it reads a property; undefined for all. */
  readable(resource: Resource, property: string): Condition | undefined;
  valuesOf(reader: Reader, resource: Resource, rows: readonly Row[]): MaybePromise<readonly Values[]>;
}

/** The sight of `store`: whole rows, all of them. */
export const WHOLE: Sight = {
  name: 'store',
  rowsOf: () => [],
  readable: () => undefined,
  valuesOf: (_reader, { codec }, rows) => rows.map((row) => codec.toValues(row)),
};

/** The sight of `asCaller`: the rows and properties that a caller reads. */
export const sightOf = (principal: Principal | undefined): Sight => ({
  name: 'asCaller',
  rowsOf: (resource) => rowsSeenBy(resource, principal),
  readable({ fields }, property) {
    const limited = fields?.viewFor(principal)?.limited.find(({ names }) => names.includes(property));
    return limited && { kind: 'all', conditions: limited.conditions };
  },
  valuesOf: (reader, resource, rows) =>
    whenKnown(shownAll(reader, resource, rows, principal), (entities) => entities.map(({ value }) => value)),
});

/** The conditions on what a caller reads: nothing where an owner rule asks for a caller that is known. */
export function rowsSeenBy({ filter }: Resource, principal: Principal | undefined): readonly Condition[] {
  try {
    return filter.whole(principal);
  } catch (error) {
    if (error instanceof ApiError) return NOTHING;
    throw error;
  }
}

/** A condition on a property, which has no value on the rows where it is hidden. */
export function seen(sight: Sight, resource: Resource, property: string, condition: Condition): Condition {
  const readable = sight.readable(resource, property);
  if (!readable) return condition;
  if (condition.kind === 'not' || (condition.kind === 'related' && condition.isNone))
    return negation(seen(sight, resource, property, negation(condition)));
  const isAbsence = condition.kind === undefined && condition.operator === 'eq' && condition.value === null;
  return isAbsence
    ? { kind: 'any', conditions: [negation(readable), condition] }
    : { kind: 'all', conditions: [readable, condition] };
}

/** The condition that holds for all other rows. */
export function negation(condition: Condition): Condition {
  switch (condition.kind) {
    case undefined:
      return { kind: 'not', comparison: condition };
    case 'not':
      return condition.comparison;
    case 'related':
      return { ...condition, isNone: !condition.isNone };
    default:
      return { kind: condition.kind === 'all' ? 'any' : 'all', conditions: condition.conditions.map(negation) };
  }
}
