import { flat, type ValueSchema } from '../../compiler/json-schema/value-schema.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { conventionNames } from '../../descriptor/convention-names.ts';
import { lookUp } from '../../descriptor/look-up.ts';
import {
  idProperty,
  isIdCounted,
  type PropertyDescriptor,
  propertyNamed,
  type ResourceDescriptor,
} from '../../descriptor/resource.ts';
import { createSchemaRegistry } from '../../runtime/schema/create-schema-registry.ts';
import type { SchemaRegistry } from '../../runtime/schema/schema-registry.ts';
import type { Sample, SampleCaller, SampleRow } from '../start/sample.ts';
import { scopesOf } from '../start/scopes.ts';
import { inOrder } from '../synthetic/order.ts';
import { uuidAt } from '../synthetic/uuid.ts';
import { exampleTenant } from '../token/tenant-claims.ts';
import { LifelikeValues } from './lifelike-values.ts';
import { type SampleNeeds, sampleNeeds, type Values } from './sample-needs.ts';
import { isPerson, TODAY } from './words.ts';

const MAX_ATTEMPTS = 20;
const HOUR_MS = 3_600_000;
const NULL_PROBABILITY = 0.2;
/** Rows of a sub-resource for each row of its parent. */
const CHILDREN_PER_PARENT = 2;
/** Rows that join two others, for each row of a resource without a parent: so many labels has an issue. */
const JOINED_PER_ROW = 3;
/** So many of them join the first rows, which have the ids of the contract's examples. */
const JOINED_TO_EXAMPLES = 5;

export interface MockOptions {
  readonly contract: CompiledContract;
  readonly seed: number;
  /** Number of rows of each resource without a parent. */
  readonly rows: number;
}

/** Rows of every resource, made from the contract alone, in an order in which references point backwards. */
export function mockSample({ contract, seed, rows }: MockOptions): Sample {
  const { document, resources } = contract;
  const schemas = createSchemaRegistry(document);
  const all = new Map<string, readonly Values[]>();
  const made = new Map<string, readonly Values[]>();
  const values = new LifelikeValues({ document, schemas, seed });
  const needed = sampleNeeds(contract);
  let subject: unknown;
  for (const resource of inOrder(resources)) {
    const ends = endsOf(resource, resources);
    const above = resource.parent && all.get(resource.parent.resource);
    const alone = ends.length > 0 ? JOINED_PER_ROW * rows : rows;
    const count = resource.parent ? CHILDREN_PER_PARENT * (above?.length ?? 0) : alone;
    const needs = lookUp(needed, resource.key);
    subject ??= ownerOf(resource, needs, made);
    const maker = new RowMaker(resource, { contract, schemas, values, made, ends, needs, subject });
    const own = Array.from({ length: count }, () => maker.make()).filter((row) => row !== undefined);
    all.set(resource.key, own);
    made.set(
      resource.key,
      own.filter((row) => !(needs.deleted && has(row, needs.deleted))),
    );
  }
  const admin = String(subject ?? uuidAt(TODAY.getTime(), values.random));
  return {
    *sample(): Iterable<SampleRow> {
      for (const [resource, own] of all) for (const row of own) yield { resource, values: row };
    },
    ...callers(contract, made, admin),
  };
}

const has = (row: Values, values: Values): boolean =>
  Object.entries(values).every(([name, value]) => row[name] === value);

/** Whom the token with every scope stands for, by the first rows that somebody owns: what it creates belongs to a row, if owners are rows. */
function ownerOf(
  { owner, properties }: ResourceDescriptor,
  { rows }: SampleNeeds,
  made: ReadonlyMap<string, readonly Values[]>,
): unknown {
  if (!owner) return undefined;
  if (owner.property === 'id') return owner.scope === undefined ? rows[0]?.['id'] : undefined;
  const { references } = propertyNamed(properties, owner.property);
  const [first, , third] = (references && made.get(references.resource)) ?? [];
  return (third ?? first)?.['id'];
}

/** The properties by which rows of a resource join others, for lists with `x-through`. */
function endsOf({ key }: ResourceDescriptor, resources: readonly ResourceDescriptor[]): readonly string[] {
  const throughs = resources.flatMap((listed) => listed.throughs ?? []).filter(({ join }) => join === key);
  return [...new Set(throughs.flatMap(({ from, to }) => [from, to]))];
}

interface Material {
  readonly contract: CompiledContract;
  readonly schemas: SchemaRegistry;
  readonly values: LifelikeValues;
  /** The rows that can be referred to, by resource. */
  readonly made: ReadonlyMap<string, readonly Values[]>;
  /** Properties that join rows of two resources: the first rows made join the first of those. */
  readonly ends?: readonly string[];
  readonly needs?: SampleNeeds;
  /** The `sub` of the caller who owns the rows that samples are about, where no scope opens them. */
  readonly subject?: unknown;
}

const NO_NEEDS: SampleNeeds = { rows: [], below: 1, deleted: undefined, created: undefined };

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
  readonly #needs: SampleNeeds;
  readonly #subject: unknown;
  /** Rows made, and rows drawn. */
  #rows = 0;
  #count = 0;

  constructor(resource: ResourceDescriptor, material: Material) {
    const { contract, schemas, values, made, ends = [], needs = NO_NEEDS, subject } = material;
    const reference = { $ref: `#/components/schemas/${resource.schemas.resource}` };
    const check = schemas.output(reference);
    this.#resource = resource;
    this.#schema = flat(contract.document, reference as ValueSchema);
    this.#isValid = (row) => check(JSON.parse(JSON.stringify(row))) === undefined;
    this.#values = values;
    this.#made = made;
    this.#ends = ends;
    this.#needs = needs;
    this.#subject = subject;
    this.#isOfPerson = isPerson(resource.name, Object.keys(this.#schema.properties ?? {}));
    if (needs.created) this.#reserve(needs.created);
  }

  /** The keys of what the samples create stay free. */
  #reserve(created: Values): void {
    const { parent, owner, tenant, properties, unique } = this.#resource;
    const row = {
      ...(parent && { [parent.property]: this.#made.get(parent.resource)?.[0]?.['id'] }),
      ...(owner && { [owner.property]: this.#subject }),
      ...(tenant && { [tenant.property]: exampleTenant(propertyNamed(properties, tenant.property)) }),
      ...created,
    };
    for (const names of unique) this.#taken.add(keyOf(names, row));
  }

  /**
   * A row that matches the contract, has the given values and conflicts with no earlier row; undefined when none was
   * found.
   */
  make(given: Values = {}): Values | undefined {
    for (let i = 0; i < MAX_ATTEMPTS; i += 1) {
      const drawn = this.#draw({ ...(i < MAX_ATTEMPTS / 2 && this.#needed()), ...given });
      const row = drawn && { ...drawn, ...given };
      if (!row || !this.#isValid(row)) continue;
      const keys = [['id'], ...this.#resource.unique].map((names) => keyOf(names, row));
      if (keys.some((key) => this.#taken.has(key))) continue;
      for (const key of keys) this.#taken.add(key);
      this.#rows += 1;
      return row;
    }
    return undefined;
  }

  /** What samples need of the next row. */
  #needed(): Values {
    const { owner } = this.#resource;
    const isOwned = owner && owner.scope === undefined && owner.property !== 'id' && this.#rows < this.#needs.below;
    return {
      ...this.#needs.rows[this.#rows],
      ...(isOwned && this.#subject !== undefined && { [owner.property]: this.#subject }),
    };
  }

  #draw(needed: Values): Values | undefined {
    const at = TODAY.getTime() - (this.#values.random.below(24) + 24 * this.#count++) * HOUR_MS;
    const moment = new Date(at).toISOString();
    const { createdAt, updatedAt } = conventionNames(this.#resource.nameCase);
    const row: Record<string, unknown> = {
      id: this.#id(at, needed['id']),
      version: 1,
      [createdAt]: moment,
      [updatedAt]: moment,
    };
    for (const property of this.#resource.properties) {
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
    return this.#values.of(name, this.#schema.properties?.[name], this.#isOfPerson);
  }

  /** All rows are of the tenant of the tokens that come with them. */
  #drawn(property: PropertyDescriptor): unknown {
    if (property.references) return this.#reference(property);
    return property.name === this.#resource.tenant?.property ? exampleTenant(property) : this.#value(property);
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
    if (references!.resource === this.#resource.parent?.resource) return this.#rows < this.#needs.below;
    const end = this.#ends.indexOf(name);
    return end >= 0 && this.#count <= JOINED_TO_EXAMPLES && (this.#count - 1) % this.#ends.length === end;
  }
}

const keyOf = (names: readonly string[], row: Values): string =>
  JSON.stringify([names, ...names.map((name) => row[name])]);

/** A caller who owns rows and is bound by the owner rules, and one who is exempt from them. */
function callers(contract: CompiledContract, made: ReadonlyMap<string, readonly Values[]>, subject: string) {
  const exempting = new Set(contract.resources.flatMap(({ owner }) => owner?.scope ?? []));
  const all = scopesOf(contract);
  const owned = contract.resources.find(({ owner, key }) => owner && made.get(key)?.length);
  const customer = owned && String(lookUp(made, owned.key)[0]![owned.owner!.property]);
  const admin: SampleCaller = { subject, scope: all.join(' ') };
  if (customer === undefined || exempting.size === 0) return { admin };
  return { customer: { subject: customer, scope: all.filter((scope) => !exempting.has(scope)).join(' ') }, admin };
}
