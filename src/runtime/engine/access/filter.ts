import type { Id } from '../../../descriptor/resource.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Comparison, Condition } from '../../storage/store.ts';
import type { ForCaller, RowFilter } from '../resource/access.ts';
import type { Resource } from '../resource/resource.ts';
import { boundSubject } from './owner.ts';

type Filter = RowFilter['own'];

const ALL: readonly Condition[] = [];
/** No row meets them. */
export const NOTHING: readonly Condition[] = [{ property: 'id', operator: 'in', value: [] }];
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
