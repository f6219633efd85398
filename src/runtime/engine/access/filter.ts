import type { Id } from '../../../descriptor/resource.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Comparison, Condition } from '../../storage/store.ts';
import type { ForCaller, RelatedReads, RowFilter } from '../resource/access.ts';
import type { Resource } from '../resource/resource.ts';
import { boundSubject } from './owner.ts';

type Filter = RowFilter['own'];

const ALL: readonly Condition[] = [];
/** Of a resource without rules. */
const all: Filter = () => ALL;

export const equals = (property: string, value: Id): Comparison => ({ property, operator: 'eq', value });

/** What is made of a caller, made once for each. What is thrown is not kept. */
export function perCaller<T>(make: ForCaller<T>): ForCaller<T> {
  const known = new WeakMap<object, { readonly made: T }>();
  return (principal) => {
    const caller = principal ?? ANONYMOUS;
    let found = known.get(caller);
    if (!found) {
      found = { made: make(principal) };
      known.set(caller, found);
    }
    return found.made;
  };
}

const ANONYMOUS = {};

/** The filter of a resource without rules. */
export const OPEN: RowFilter = { isOpen: true, isRuled: false, own: all, ruled: all, whole: all, key: () => '' };

/** The filter of a resource whose rules are compiled, and that of its parent before. */
export function rowFilter(resource: Resource): RowFilter {
  const { access, fields, levels, parent } = resource;
  const ruled = access?.read?.conditionsFor ?? all;
  const own = ownFilter(resource, ruled);
  const isOpen = own === all && parent?.filter.isOpen !== false;
  if (isOpen && !fields) return OPEN;
  const key = (principal: Principal | undefined): string =>
    [JSON.stringify(levels.map(({ filter }) => filter.own(principal))), fields?.viewFor(principal)?.key].join(' ');
  return {
    isOpen,
    isRuled: levels.some((level) => level.access?.read !== undefined),
    own,
    ruled,
    whole: parent?.filter.isOpen === false ? perCaller((principal) => belowParent(resource, principal)) : own,
    key: perCaller(key),
  };
}

function ownFilter(resource: Resource, ruled: Filter): Filter {
  const { owner } = resource.descriptor;
  if (owner?.reads !== 'owner') return ruled;
  return perCaller((principal) => {
    const subject = boundSubject(resource, principal);
    return subject === undefined ? ruled(principal) : [equals(owner.property, subject), ...ruled(principal)];
  });
}

function belowParent({ descriptor, filter, parent }: Resource, principal: Principal | undefined): readonly Condition[] {
  const own = filter.own(principal);
  const conditions = parent!.filter.whole(principal);
  if (conditions.length === 0) return own;
  const { property, resource } = descriptor.parent!;
  return [...own, { kind: 'related', property, resource, relatedProperty: 'id', conditions, isNone: false }];
}

/** Whether the caller sees no row, whatever the rows have. */
export const isBlind = ({ levels }: Resource, principal: Principal | undefined): boolean =>
  levels.some(({ filter }) => filter.own(principal).some(isNever));

const isNever = (one: Condition): boolean =>
  one.kind === undefined && one.operator === 'in' && Array.isArray(one.value) && one.value.length === 0;

/** Whether changes of other rows bring rows in and out of the caller's sight. A row keeps its parent, and both their tenant. */
export function isSwayed(resource: Resource, principal: Principal | undefined): boolean {
  if (isBlind(resource, principal)) return false;
  return resource.levels.some((level) =>
    level.filter.own(principal).some((one) => asksOthers(one) || (level !== resource && !isOfTenant(level, one))),
  );
}

const isOfTenant = ({ tenancy }: Resource, condition: Condition): boolean =>
  condition.kind === undefined && condition.property === tenancy?.property;

/** Whether other rows decide whether a condition holds for a row. */
export function asksOthers(condition: Condition): boolean {
  if (condition.kind === 'related') return true;
  return (condition.kind === 'all' || condition.kind === 'any') && condition.conditions.some(asksOthers);
}

/** What decides, of other rows, who sees a row, or which properties of it, by the key of their resource. */
export function filterReads(resource: Resource): ReadonlyMap<string, RelatedReads> {
  const reads = new Map<string, RelatedReads>();
  const add = (key: string, names: Iterable<string>, more?: RelatedReads): void => {
    const known = reads.get(key);
    const isEither = (name: 'isListed' | 'isFollowed') => known?.[name] === true || more?.[name] === true;
    const properties = new Set([...(known?.properties ?? []), ...names]);
    reads.set(key, { properties, isListed: isEither('isListed'), isFollowed: isEither('isFollowed') });
  };
  for (const [key, read] of resource.fields?.reads ?? []) add(key, read.properties, read);
  if (!resource.filter.isRuled) return reads;
  for (const level of resource.levels) {
    const { access, descriptor } = level;
    for (const [key, read] of access?.read?.reads ?? []) add(key, read.properties, read);
    if (level === resource) continue;
    const own = [descriptor.owner?.property, descriptor.parent?.property].filter((name) => name !== undefined);
    add(descriptor.key, [...own, ...(access?.read?.properties ?? [])]);
  }
  return reads;
}
