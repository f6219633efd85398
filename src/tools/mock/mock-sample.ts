import { exampleOf } from '../../compiler/json-schema/example.ts';
import { flat, type ValueSchema } from '../../compiler/json-schema/value-schema.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { conventionNames } from '../../descriptor/convention-names.ts';
import { lookUp } from '../../descriptor/look-up.ts';
import {
  idProperty,
  isIdCounted,
  namingProperty,
  type PropertyDescriptor,
  type ResourceDescriptor,
} from '../../descriptor/resource.ts';
import { createSchemaRegistry } from '../../runtime/schema/create-schema-registry.ts';
import type { SchemaRegistry } from '../../runtime/schema/schema-registry.ts';
import type { Sample, SampleCaller, SampleRow } from '../start/sample.ts';
import { scopesOf } from '../start/scopes.ts';
import { inOrder } from '../synthetic/order.ts';
import type { Random } from '../synthetic/random.ts';
import { uuidAt } from '../synthetic/uuid.ts';
import { exampleTenant } from '../token/tenant-claims.ts';
import { LifelikeValues } from './lifelike-values.ts';
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

type Values = Readonly<Record<string, unknown>>;

/** Rows of every resource, made from the contract alone, in an order in which references point backwards. */
export function mockSample({ contract, seed, rows }: MockOptions): Sample {
  const { document, resources } = contract;
  const schemas = createSchemaRegistry(document);
  const made = new Map<string, readonly Values[]>();
  const values = new LifelikeValues({ document, schemas, seed });
  for (const resource of inOrder(resources)) {
    const ends = endsOf(resource, resources);
    const above = resource.parent && made.get(resource.parent.resource);
    const alone = ends.length > 0 ? JOINED_PER_ROW * rows : rows;
    const count = resource.parent ? CHILDREN_PER_PARENT * (above?.length ?? 0) : alone;
    const maker = new RowMaker(resource, { contract, schemas, values, made, ends });
    made.set(
      resource.key,
      Array.from({ length: count }, () => maker.make()).filter((row) => row !== undefined),
    );
  }
  return {
    *sample(): Iterable<SampleRow> {
      for (const [resource, all] of made) for (const row of all) yield { resource, values: row };
    },
    ...callers(contract, made, values.random),
  };
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
}

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
  /** What paths name one by in the contract's examples: the first row has it, so that they can be sent as they are. */
  readonly #exampleKeys: Values;
  #count = 0;

  constructor(resource: ResourceDescriptor, { contract, schemas, values, made, ends = [] }: Material) {
    const reference = { $ref: `#/components/schemas/${resource.schemas.resource}` };
    const check = schemas.output(reference);
    this.#resource = resource;
    this.#schema = flat(contract.document, reference as ValueSchema);
    this.#isValid = (row) => check(JSON.parse(JSON.stringify(row))) === undefined;
    this.#values = values;
    this.#made = made;
    this.#ends = ends;
    this.#exampleKeys = exampleKeysOf(contract, resource);
    this.#isOfPerson = isPerson(resource.name, Object.keys(this.#schema.properties ?? {}));
  }

  get #isFirst(): boolean {
    return this.#taken.size === 0;
  }

  /**
   * A row that matches the contract, has the given values and conflicts with no earlier row; undefined when none was
   * found.
   */
  make(given: Values = {}): Values | undefined {
    for (let i = 0; i < MAX_ATTEMPTS; i += 1) {
      const examples = this.#isFirst && i < MAX_ATTEMPTS / 2 ? this.#exampleKeys : {};
      const drawn = this.#draw({ ...examples, ...given });
      const row = drawn && { ...drawn, ...given };
      if (!row || !this.#isValid(row)) continue;
      const keys = [['id'], ...this.#resource.unique].map((names) =>
        JSON.stringify([names, ...names.map((name) => row[name])]),
      );
      if (keys.some((key) => this.#taken.has(key))) continue;
      for (const key of keys) this.#taken.add(key);
      return row;
    }
    return undefined;
  }

  #draw(examples: Values): Values | undefined {
    const at = TODAY.getTime() - (this.#values.random.below(24) + 24 * this.#count++) * HOUR_MS;
    const moment = new Date(at).toISOString();
    const { createdAt, updatedAt } = conventionNames(this.#resource.nameCase);
    const row: Record<string, unknown> = {
      id: this.#id(at, examples['id']),
      version: 1,
      [createdAt]: moment,
      [updatedAt]: moment,
    };
    for (const property of this.#resource.properties) {
      if (property.origin === 'managed' || property.name === 'id') continue;
      const drawn = this.#drawn(property);
      const value = examples[property.name] ?? drawn;
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
    if (references!.resource === this.#resource.parent?.resource) return this.#isFirst;
    const end = this.#ends.indexOf(name);
    return end >= 0 && this.#count <= JOINED_TO_EXAMPLES && (this.#count - 1) % this.#ends.length === end;
  }
}

/** The examples of the path parameters that name one, by the property that they hold. */
function exampleKeysOf(contract: CompiledContract, resource: ResourceDescriptor): Values {
  const { actions, idParameter, lookups = [] } = resource;
  const own = namingProperty(resource);
  const keys = lookups.map(
    ({ property, operationId }) => [property, exampleOfParameter(contract, operationId, property)] as const,
  );
  const named = actions.get && exampleOfParameter(contract, actions.get.operationId, idParameter);
  const isUuid = own === 'id' && idProperty(resource).type === 'uuid';
  const isUsable = !isUuid || (typeof named === 'string' && UUID.test(named));
  return Object.fromEntries(isUsable ? [[own, named], ...keys] : keys);
}

function exampleOfParameter({ document, rest }: CompiledContract, operationId: string, name: string): unknown {
  const operation = rest.operations.find((one) => one.operationId === operationId);
  const parameter = operation?.parameters.find((one) => one.name === name);
  return parameter && exampleOf(document, parameter.schema as ValueSchema);
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;

/** A caller who owns rows and is bound by the owner rules, and one who is exempt from them. */
function callers(contract: CompiledContract, made: ReadonlyMap<string, readonly Values[]>, random: Random) {
  const exempting = new Set(contract.resources.flatMap(({ owner }) => owner?.scope ?? []));
  const all = scopesOf(contract);
  const owned = contract.resources.find(({ owner, key }) => owner && made.get(key)?.length);
  const subject = owned && String(lookUp(made, owned.key)[0]![owned.owner!.property]);
  const admin: SampleCaller = { subject: uuidAt(TODAY.getTime(), random), scope: all.join(' ') };
  if (subject === undefined || exempting.size === 0) return { admin };
  return { customer: { subject, scope: all.filter((scope) => !exempting.has(scope)).join(' ') }, admin };
}
