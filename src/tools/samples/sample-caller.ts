import { isOfCaller, propertyNamed, type ResourceDescriptor } from '../../descriptor/resource.ts';
import { comparedIn, partsOf } from '../../descriptor/row-access.ts';
import type { Claims } from '../../runtime/auth/index.ts';
import { claimAt, isSubject, withClaim } from '../token/claims.ts';
import { exampleValue } from '../token/tenant-claims.ts';
import { countedUuid } from '../uuid.ts';
import { PlannedRow } from './access-plan.ts';
import { TODAY } from './words.ts';

const ANYBODY = countedUuid(TODAY.getTime(), 0xca11);

export type Values = Readonly<Record<string, unknown>>;

/** What samples name and send of a resource. */
export interface Sent {
  readonly resource: ResourceDescriptor;
  readonly rows: readonly PlannedRow[];
  readonly bodies: { readonly [A in 'create' | 'replace' | 'update']: Values | undefined };
}

/**
 * Whose token samples are sent with: that of the row whose id is its owner's, of what samples send where rules compare it with
 * `sub`, of a row that owners refer to, or of anybody.
 */
export function callerOf(samples: readonly Sent[]): unknown {
  const own = samples.find(({ resource }) => isOfCaller(resource));
  if (own) return own.rows[0];
  for (const { resource, bodies } of samples)
    for (const property of comparedWithSub(resource)) {
      const sent = bodies.create?.[property] ?? bodies.replace?.[property];
      if (sent != null) return sent;
    }
  const owners = samples.flatMap(({ resource: { owner, properties } }) =>
    owner ? (propertyNamed(properties, owner.property).references?.resource ?? []) : [],
  );
  return owners[0] === undefined ? new PlannedRow('', { id: ANYBODY }) : new PlannedRow(owners[0]);
}

/** The properties that rules of who may create and change a row compare with `sub`, where no scope alone is enough. */
const comparedWithSub = ({ rowAccess = {}, key }: ResourceDescriptor): readonly string[] =>
  [rowAccess.create ?? [], rowAccess.update ?? []]
    .filter((alternatives) => alternatives.every(({ where }) => where))
    .flat()
    .flatMap(({ where }) => (where ? [...partsOf(where, key)] : []))
    .flatMap(({ condition, isRelated }) =>
      condition.kind === 'compare' && !isRelated && 'claim' in condition.value && isSubject(condition.value.claim)
        ? [condition.property]
        : [],
    );

/** What a token has of each claim that rules compare: a row that is referred to, what samples send, or a value that rows get, too. */
export function claimsOf(
  samples: readonly Sent[],
  named: ReadonlyMap<string, readonly PlannedRow[]>,
  tenant: Claims,
): Claims {
  const compared = comparedIn(samples.map(({ resource }) => resource));
  return compared.reduce<Claims>((claims, { value, property: name, resource: key }) => {
    const path = 'claim' in value ? value.claim : ['sub'];
    const of = samples.find(({ resource }) => resource.key === key);
    const property = of?.resource.properties.find((one) => one.name === name);
    if (isSubject(path) || !of || !property || claimAt(claims, path) !== undefined) return claims;
    const row = property.references && named.get(property.references.resource)?.[0];
    return withClaim(claims, path, row ?? of.bodies.create?.[name] ?? property.enum?.[0] ?? exampleValue(property));
  }, tenant);
}
