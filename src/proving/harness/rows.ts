import { lookUp } from '../../descriptor/look-up.ts';
import { type Id, namingProperty, propertyNamed, type ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Random } from '../../tools/random.ts';
import { type Dump, recordOf } from './store-dump.ts';

/** How often a reference goes to a preferred row. */
const PREFERRED = 0.9;

export type StoredRecord = Readonly<Record<string, unknown>>;

/** What names a row in its path: its id, or another key. */
export const nameOf = (resource: ResourceDescriptor, row: StoredRecord): string =>
  String(row[namingProperty(resource)]);

/** The rows that both stores have now. */
export class Rows {
  readonly #resources: ReadonlyMap<string, ResourceDescriptor>;
  readonly #random: Random;
  #dump: Dump = {};
  /** By resource, of the rows in `#dump`. */
  readonly #records = new Map<string, readonly StoredRecord[]>();

  constructor(resources: readonly ResourceDescriptor[], random: Random) {
    this.#resources = new Map(resources.map((resource) => [resource.key, resource]));
    this.#random = random;
  }

  update(dump: Dump): void {
    for (const [key, rows] of Object.entries(dump)) if (rows !== this.#dump[key]) this.#records.delete(key);
    this.#dump = dump;
  }

  resource(key: string): ResourceDescriptor {
    return lookUp(this.#resources, key);
  }

  of({ key }: ResourceDescriptor): readonly StoredRecord[] {
    const known = this.#records.get(key);
    if (known) return known;
    const resource = this.resource(key);
    const records = (this.#dump[key] ?? []).map((row) => recordOf(resource, row));
    this.#records.set(key, records);
    return records;
  }

  /** `id` as either protocol writes it. */
  find(resource: ResourceDescriptor, id: Id): StoredRecord | undefined {
    return this.of(resource).find((row) => String(row['id']) === String(id));
  }

  anyId(key: string): Id | undefined {
    return this.idOfSome(key, () => true);
  }

  /** The id of a random row, often of one that `isPreferred`. */
  idOfSome(key: string, isPreferred: (row: StoredRecord) => boolean): Id | undefined {
    const all = this.of(this.resource(key));
    const some = all.filter(isPreferred);
    const isSome = some.length > 0 && some.length < all.length && this.#random.chance(PREFERRED);
    const rows = isSome ? some : all;
    return rows.length === 0 ? undefined : (this.#random.pick(rows)['id'] as Id);
  }

  /** The rows that path parameters name, by their ids or another key, one of each tenant, whatever their ancestors are. */
  allNamed(resource: ResourceDescriptor, params: Readonly<Record<string, string>>): readonly StoredRecord[] {
    const value = params[resource.idParameter];
    return value === undefined ? [] : this.#allWith(resource, namingProperty(resource), value);
  }

  /** The row with this value of a unique property, as either protocol writes it. */
  with(resource: ResourceDescriptor, name: string, value: unknown): StoredRecord | undefined {
    return this.#allWith(resource, name, value)[0];
  }

  #allWith(resource: ResourceDescriptor, name: string, value: unknown): readonly StoredRecord[] {
    const { type } = propertyNamed(resource.properties, name);
    const text = type === 'uuid' ? String(value).toLowerCase() : String(value);
    return this.of(resource).filter((row) => String(row[name]) === text);
  }

  /** The path parameters of a row: what names its ancestors, and its own id or key. */
  paramsOf(resource: ResourceDescriptor, row: StoredRecord): Record<string, string> {
    return { ...this.ancestorsOf(resource, row), [resource.idParameter]: nameOf(resource, row) };
  }

  ancestorsOf({ parent }: ResourceDescriptor, row: StoredRecord): Record<string, string> {
    if (!parent) return {};
    const id = String(row[parent.property]);
    const above = this.resource(parent.resource);
    const record = this.find(above, id);
    return {
      ...(record && this.ancestorsOf(above, record)),
      [parent.parameter]: record ? nameOf(above, record) : id,
    };
  }

  /** The subject that owns a row, by its own owner rule or by that of its nearest ancestor. */
  ownerOf(resource: ResourceDescriptor, row: StoredRecord): unknown {
    const { owner, parent } = resource;
    if (owner) return row[owner.property];
    if (!parent) return undefined;
    const above = this.resource(parent.resource);
    const record = this.find(above, row[parent.property] as Id);
    return record && this.ownerOf(above, record);
  }

  /** A random row that belongs to the subject, or any row where rows have no owner: one that `isPreferred`, if there is one. */
  pick(
    resource: ResourceDescriptor,
    subject: string | undefined,
    isPreferred: (row: StoredRecord) => boolean = () => true,
  ): StoredRecord | undefined {
    const rows = this.of(resource);
    const own = rows.filter((row) => [undefined, subject].includes(this.ownerOf(resource, row) as string | undefined));
    const preferred = own.filter(isPreferred);
    const some = preferred.length > 0 ? preferred : own;
    return some.length > 0 ? this.#random.pick(some) : undefined;
  }
}
