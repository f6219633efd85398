import { type MaybePromise, whenKnown } from '../../async/maybe-promise.ts';
import type { Reader, Row } from '../../storage/store.ts';
import type { ChangeKind } from '../interface/call.ts';
import type { Resource, Watcher } from '../resource/resource.ts';
import { ancestorsOf, tenantAbove } from './above.ts';
import type { Outgoing } from './outgoing.ts';
import { merged, type NetChange, type RowChange } from './row-change.ts';
import type { Place } from './row-order.ts';

/** The rows that one transaction changes, each with its net change, in the order of their first change. */
export class ChangeLog {
  readonly #changes = new Map<string, RowChange>();
  readonly #stale = new Set<string>();
  /** The tenants that changes concern, by the key of the resource, and those of changes that bring rows in and out of sight. */
  readonly #tenants: Concerned = new Map();
  readonly #resighted: Concerned = new Map();
  #asked: { readonly row: Row; readonly tenant: MaybePromise<string | undefined> } | undefined;
  #isAnnounced = false;
  readonly place: Place | undefined;
  /** How many jobs the transaction has sent. */
  sent = 0;
  /** How many events led to it. */
  depth = 0;
  readonly outgoing: Outgoing | undefined;

  /** `place`: among the transactions that change the same rows. Undefined for what changes none, or if code handles none. */
  constructor(place?: Place, outgoing?: Outgoing) {
    this.place = place;
    this.outgoing = outgoing;
  }

  get changes(): readonly RowChange[] {
    const changes = [...this.#changes.values()];
    for (const [resource, tenants] of this.#resighted)
      changes.push({ resource, kind: 'resighted', row: [], ancestors: [], ...(tenants && { tenants: [...tenants] }) });
    return changes;
  }

  /** Keys of the resources whose lists may have changed. */
  get stale(): ReadonlySet<string> {
    return this.#stale;
  }

  /** The tenants that the changes of a resource whose rows belong to tenants concern; undefined: any. */
  tenantsOf(key: string): readonly string[] | undefined {
    const tenants = this.#tenants.get(key);
    return tenants && [...tenants];
  }

  /**
   * Marks the lists as stale that a written or a deleted row may appear in: those of its tenant, within which rules go to
   * other rows. What the database deletes along with the row is not known, nor is that row where it is left out.
   */
  markStale(resource: Resource, kind: 'write' | 'delete', row?: Row): void {
    const tenant = row && tenantOf(resource, row);
    for (const key of resource.stale[kind]) {
      this.#stale.add(key);
      concern(this.#tenants, key, kind === 'write' || key === resource.descriptor.key ? tenant : undefined);
    }
  }

  /**
   * Marks the resources whose rows come in and out of callers' sight by what the row has. An update is the properties
   * that it has changed. Called while the row's ancestors still exist.
   */
  markResighted(
    of: Resource,
    row: Row | undefined,
    reader: Reader,
    change: 'created' | 'deleted' | readonly string[],
  ): MaybePromise<void> {
    const resighted = of.watchers.filter((watcher) => resights(watcher, change));
    if (resighted.length === 0) return;
    return whenKnown(row && this.#tenantAbove(of, row, reader), (tenant) => {
      for (const { resource } of resighted) {
        concern(this.#resighted, resource, tenant);
        concern(this.#tenants, resource, tenant);
      }
    });
  }

  /** Records a change of a row, with the row `before` an update. Called while the row's ancestors still exist. */
  record(...change: Parameters<ChangeLog['recording']>): MaybePromise<void> {
    return whenKnown(this.recording(...change), (record) => record());
  }

  /** What records a change once it is made, as it may be refused. Called like `record`. */
  recording(kind: ChangeKind, resource: Resource, row: Row, reader: Reader, before?: Row): MaybePromise<() => void> {
    const { isWatched, filter, parent } = resource;
    const adding = this.outgoing?.adding(kind, resource, row, before, () => this.#tenantAbove(resource, row, reader));
    // Who sees the row of a filtered resource is found out by its values.
    const isAlone = !isWatched || (filter.isRuled ? kind !== 'deleted' : parent?.filter.isOpen !== false);
    const known = filter.isRuled && before && { before };
    return whenKnown(adding, (add) =>
      whenKnown(isAlone ? [] : ancestorsOf(resource, row, reader), (ancestors) => () => {
        add?.();
        if (isWatched) this.#add(resource, { kind, row, ancestors, ...known });
      }),
    );
  }

  #tenantAbove(resource: Resource, row: Row, reader: Reader): MaybePromise<string | undefined> {
    if (this.#asked?.row !== row) this.#asked = { row, tenant: tenantAbove(resource, row, reader) };
    return this.#asked.tenant;
  }

  /**
   * Takes the place of a row among its changes before it is written: for what is committed by itself, and may be when no
   * answer comes. An id that the database counts is not known by then.
   */
  announce(resource: Resource, row: Row): Promise<void> | undefined {
    if (!resource.isWatched) return undefined;
    this.#isAnnounced = true;
    if (resource.valueIn(row, 'id') !== null) this.place?.add(keyOf(resource, row));
    return this.place?.taken?.();
  }

  /** Whether anything that somebody may hear of has changed, or may have. */
  get isHeard(): boolean {
    return this.#isAnnounced || this.#changes.size > 0 || this.#resighted.size > 0;
  }

  #add(resource: Resource, change: NetChange): void {
    const key = keyOf(resource, change.row);
    this.place?.add(key);
    const known = this.#changes.get(key);
    if (known?.kind === 'created' && change.kind === 'deleted') this.#changes.delete(key);
    else this.#changes.set(key, { resource: resource.descriptor.key, ...(known ? merged(known, change) : change) });
  }
}

const keyOf = ({ descriptor, valueIn }: Resource, row: Row): string => `${descriptor.key} ${valueIn(row, 'id')}`;

function resights({ properties, isListed, isFollowed }: Watcher, change: Parameters<ChangeLog['markResighted']>[3]) {
  if (change === 'created') return isListed;
  if (change === 'deleted') return isListed || isFollowed;
  return change.some((name) => properties.has(name));
}

/** Tenants by the key of a resource; undefined where any may be concerned. */
type Concerned = Map<string, Set<string> | undefined>;

function concern(concerned: Concerned, key: string, tenant: string | undefined): void {
  const known = concerned.get(key);
  const isAny = tenant === undefined || (known === undefined && concerned.has(key));
  concerned.set(key, isAny ? undefined : (known ?? new Set<string>()).add(tenant));
}

/** No change moves a row from one tenant to another. */
const tenantOf = ({ tenancy, valueIn }: Resource, row: Row): string | undefined =>
  tenancy && String(valueIn(row, tenancy.property));
