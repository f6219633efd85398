import { namingProperty, type ResourceDescriptor } from '../../descriptor/resource.ts';
import { claimAt, withClaim } from '../../tools/token/index.ts';
import { type Caller, signedCaller } from '../harness/callers.ts';
import type { Rows, StoredRecord } from '../harness/rows.ts';
import { START } from '../harness/servers.ts';
import { RuleModel } from './rule-model.ts';

/**
 * Knows which rows path parameters name for whom: tenants have keys of their own, so a key names a row of the caller's
 * tenant, also to a caller who sees those of all.
 */
export class Reach {
  readonly rows: Rows;
  readonly model: RuleModel;

  constructor(rows: Rows) {
    this.rows = rows;
    this.model = new RuleModel(rows);
  }

  /** The row that path parameters name for a caller, whatever its ancestors are. */
  row(resource: ResourceDescriptor, params: Readonly<Record<string, string>>, caller: Caller) {
    return this.rows.allNamed(resource, params).find((row) => this.isNamed(resource, row, caller));
  }

  /** Whether a caller can name a row: by its own key, and those of its ancestors. */
  isNamed(resource: ResourceDescriptor, row: StoredRecord, caller: Caller): boolean {
    const isKeyed = namingProperty(resource) !== 'id';
    return (!isKeyed || this.model.isOwn(resource, row, caller)) && this.isBelowNamed(resource, row, caller);
  }

  /** Whether a caller can name the ancestors of a row. */
  isBelowNamed(resource: ResourceDescriptor, row: StoredRecord, caller: Caller): boolean {
    const above = this.#parentOf(resource, row);
    return above === undefined || this.isNamed(...above, caller);
  }

  /** Whether a row is of another tenant than its caller, who sees those of all. */
  isAcross(resource: ResourceDescriptor, row: StoredRecord, caller: Caller): boolean {
    const { tenant } = resource;
    const seesAll = tenant?.across !== undefined && caller.scopes.has(tenant.across);
    if (seesAll && !this.model.isOwn(resource, row, caller)) return true;
    const above = this.#parentOf(resource, row);
    return above !== undefined && this.isAcross(...above, caller);
  }

  /**
   * A caller who names a row and sees of it what this one sees: the same, or the same within the tenant of the row.
   * Undefined where rules distinguish the two.
   */
  within(resource: ResourceDescriptor, row: StoredRecord, caller: Caller): Caller | undefined {
    if (this.isNamed(resource, row, caller) || !this.isAcross(resource, row, caller)) return caller;
    const inside = this.#inTenantOf(resource, row, caller);
    return this.#seeAlike(resource, row, caller, inside) ? inside : undefined;
  }

  #inTenantOf(resource: ResourceDescriptor, row: StoredRecord, caller: Caller): Caller {
    const { tenant } = resource;
    if (!tenant) return this.#inTenantOf(...this.#parentOf(resource, row)!, caller);
    const claims = withClaim(caller.claims, tenant.claim, row[tenant.property]);
    const subject = String(claimAt(claims, ['sub']));
    return signedCaller(caller.name, { subject, scopes: [...caller.scopes], now: START, claims });
  }

  #seeAlike(resource: ResourceDescriptor, row: StoredRecord, one: Caller, other: Caller): boolean {
    const ruled = resource.properties.filter(({ access }) => access?.read);
    return (
      this.model.reads(resource, row, one) === this.model.reads(resource, row, other) &&
      ruled.every(
        ({ name }) =>
          this.model.allowsField('read', resource, name, row, one) ===
          this.model.allowsField('read', resource, name, row, other),
      )
    );
  }

  #parentOf({ parent }: ResourceDescriptor, row: StoredRecord): [ResourceDescriptor, StoredRecord] | undefined {
    if (!parent) return undefined;
    const above = this.rows.resource(parent.resource);
    const record = this.rows.find(above, row[parent.property] as string);
    return record && [above, record];
  }
}
