import { exampleOf, flat, type ValueSchema } from '../../compiler/json-schema/index.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { conventionNames } from '../../descriptor/convention-names.ts';
import {
  idProperty,
  isIdCounted,
  type PropertyDescriptor,
  type ResourceDescriptor,
} from '../../descriptor/resource.ts';
import type { SchemaRegistry } from '../../runtime/schema/index.ts';
import { StandIn } from '../../runtime/storage/index.ts';
import { type Tenants, tenantsOf } from '../token/tenant-claims.ts';
import { uuidAt } from '../uuid.ts';
import { PlannedRow } from './access-plan.ts';
import type { LifelikeValues } from './lifelike-values.ts';
import type { Values } from './sample-caller.ts';
import type { SampleNeeds } from './sample-needs.ts';
import { isPerson, TODAY } from './words.ts';

const MAX_ATTEMPTS = 20;
const HOUR_MS = 3_600_000;
const NULL_PROBABILITY = 0.2;
/** So many rows of a join join the first rows, which have the ids of the contract's examples. */
const JOINED_TO_EXAMPLES = 5;

interface Material {
  readonly contract: CompiledContract;
  readonly schemas: SchemaRegistry;
  readonly values: LifelikeValues;
  /** The rows that can be referred to, by resource. */
  readonly made: ReadonlyMap<string, readonly Values[]>;
  /** Properties that join rows of two resources: the first rows made join the first of those. */
  readonly ends?: readonly string[];
  readonly needs?: SampleNeeds;
  readonly ids?: PlannedIds;
}

/** The ids of planned rows that have been made. */
export type PlannedIds = Map<PlannedRow, unknown>;

/** A planned row as others have it: by its id. */
export const idOrValue = (value: unknown, ids: PlannedIds): unknown =>
  value instanceof PlannedRow ? (ids.get(value) ?? value.values['id']) : value;

/** Makes rows of one resource, each another. */
export class RowMaker {
  readonly #resource: ResourceDescriptor;
  readonly #schema: ValueSchema;
  readonly #isValid: (row: Values) => boolean;
  readonly #values: LifelikeValues;
  readonly #made: ReadonlyMap<string, readonly Values[]>;
  readonly #ends: readonly string[];
  readonly #taken = new Set<string>();
  readonly #isOfPerson: boolean;
  /** What the contract shows of a row: the first is like it. */
  readonly #example: Values;
  readonly #planned: readonly PlannedRow[];
  readonly #ids: PlannedIds;
  readonly #tenants: Tenants | undefined;
  /** Rows made, and rows drawn. */
  #rows = 0;
  #count = 0;
  /** Of a mapped resource, whose properties share columns. */
  readonly #standIn: StandIn | undefined;

  constructor(resource: ResourceDescriptor, material: Material) {
    const { contract, schemas, values, made, ends = [], needs, ids = new Map() } = material;
    const { properties, unique, owner, tenant } = resource;
    const reference = { $ref: `#/components/schemas/${resource.schemas.resource}` };
    const check = schemas.output(reference);
    this.#resource = resource;
    this.#standIn = resource.mapped && new StandIn(resource);
    this.#schema = flat(contract.document, reference as ValueSchema);
    this.#isValid = (row) => check(JSON.parse(JSON.stringify(row))) === undefined;
    const example = exampleOf(contract.document, reference, 'writeOnly') as Values;
    const decided = new Set([...unique.flat(), owner?.property, tenant?.property]);
    const isShown = ({ name, references, transitions }: PropertyDescriptor): boolean =>
      !references && !transitions && !decided.has(name) && example?.[name] !== undefined;
    this.#example = Object.fromEntries(properties.filter(isShown).map(({ name }) => [name, example[name]]));
    this.#values = values;
    this.#made = made;
    this.#ends = ends;
    this.#planned = needs?.rows ?? [];
    this.#ids = ids;
    this.#tenants = tenantsOf(contract);
    this.#isOfPerson = isPerson(resource.name, Object.keys(this.#schema.properties ?? {}));
    // The keys of what samples create stay free.
    const created = this.#valuesOf(needs?.created);
    for (const names of needs?.created ? resource.unique : []) this.#taken.add(keyOf(names, created));
  }

  /**
   * A row that matches the contract, has the given values and conflicts with no earlier row; undefined when none was
   * found.
   */
  make(given: Values = {}): Values | undefined {
    for (let i = 0; i < MAX_ATTEMPTS; i += 1) {
      const planned = i < MAX_ATTEMPTS / 2 && this.#valuesOf(this.#planned[this.#rows]);
      const drawn = this.#draw({ ...(this.#rows === 0 && planned && this.#example), ...planned, ...given });
      const row = drawn && this.#agreed({ ...drawn, ...given });
      if (!row || !this.#isValid(row)) continue;
      const keys = [['id'], ...this.#resource.unique].map((names) => keyOf(names, row));
      if (keys.some((key) => this.#taken.has(key))) continue;
      for (const key of keys) this.#taken.add(key);
      const made = this.#planned[this.#rows++];
      if (made) this.#ids.set(made, row['id']);
      return row;
    }
    return undefined;
  }

  #agreed(row: Values): Values | undefined {
    if (!this.#standIn) return row;
    const agreed = this.#standIn.agreed(row);
    return agreed && this.#standIn.version(agreed);
  }

  /** What a planned row has, as far as rows that it refers to have been made. */
  #valuesOf(planned: PlannedRow | undefined): Values {
    const entries = Object.entries(planned?.values ?? {}).map(([name, value]) => [name, idOrValue(value, this.#ids)]);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }

  #draw(needed: Values): Values | undefined {
    const at = TODAY.getTime() - (this.#values.random.below(24) + 24 * this.#count++) * HOUR_MS;
    const moment = new Date(at).toISOString();
    const { createdAt, updatedAt } = conventionNames(this.#resource.nameCase);
    const managed = { id: this.#id(at, needed['id']), version: 1, [createdAt]: moment, [updatedAt]: moment };
    const row: Record<string, unknown> = {};
    for (const property of this.#resource.properties) {
      if (property.name in managed) row[property.name] = managed[property.name as keyof typeof managed];
      if (property.origin === 'managed' || property.name === 'id') continue;
      const drawn = this.#drawn(property);
      const value = property.name in needed ? needed[property.name] : drawn;
      if (value === undefined && property.required) return undefined;
      if (value !== undefined) row[property.name] = value;
    }
    return row;
  }

  #id(at: number, example: unknown): unknown {
    const id = idProperty(this.#resource);
    if (id.type === 'uuid') return example ?? uuidAt(at, this.#values.random);
    if (!isIdCounted(this.#resource)) return example ?? this.#value(id);
    return id.type === 'int64' ? String(this.#count) : this.#count;
  }

  #value({ name }: PropertyDescriptor): unknown {
    return this.#values.of(name, this.#schema.properties?.[name], { isOfPerson: this.#isOfPerson });
  }

  /** All rows are of the tenant of the tokens that come with them. */
  #drawn(property: PropertyDescriptor): unknown {
    const isTenant = property.name === this.#resource.tenant?.property;
    if (isTenant && property.references) return this.#made.get(property.references.resource)?.[0]?.['id'];
    if (property.references) return this.#reference(property);
    return isTenant ? this.#tenants?.values[0] : this.#value(property);
  }

  #reference(property: PropertyDescriptor): unknown {
    const { references, nullable } = property;
    const targets = this.#made.get(references!.resource) ?? [];
    if (targets[0] && this.#isToFirst(property)) return targets[0]['id'];
    if (targets.length > 0 && !(nullable && this.#values.random.chance(NULL_PROBABILITY)))
      return this.#values.random.pick(targets)['id'];
    return nullable ? null : undefined;
  }

  /** What samples of requests ask for is there: below the first rows, and joined to them, each end in its turn. */
  #isToFirst({ name, references }: PropertyDescriptor): boolean {
    if (references!.resource === this.#resource.parent?.resource) return this.#rows === 0;
    const end = this.#ends.indexOf(name);
    return end >= 0 && this.#count <= JOINED_TO_EXAMPLES && (this.#count - 1) % this.#ends.length === end;
  }
}

const keyOf = (names: readonly string[], row: Values): string =>
  JSON.stringify([names, ...names.map((name) => row[name])]);
