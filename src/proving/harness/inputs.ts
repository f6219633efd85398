import { flat, type Sampler, type ValueSchema } from '../../compiler/json-schema/index.ts';
import { namedSchemas } from '../../compiler/model/index.ts';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import {
  type Id,
  idProperty,
  isIdChosen,
  type PropertyDescriptor,
  type ResourceDescriptor,
} from '../../descriptor/resource.ts';
import type { Random } from '../../tools/random.ts';
import { randomSampler } from '../../tools/synthetic/index.ts';
import type { Caller } from './callers.ts';
import { idNames } from './ids.ts';
import { type InvalidValue, invalidValues } from './invalid-values.ts';
import type { StoredRecord } from './rows.ts';

export type Input = Record<string, unknown>;

/** The rows that inputs can refer to. */
export interface Referable {
  /** Id of some row of the resource, or undefined; often of one that the caller sees. */
  anyId(resource: string, caller?: Caller): Id | undefined;
  /** Some row of a table of others, which may check more than the contract says. */
  readonly anyRow?: (resource: ResourceDescriptor) => StoredRecord | undefined;
}

/** The values that a property of a resource, by its key, should often have. */
export type PreferredValues = (resource: string, property: string) => readonly unknown[];

/** So many of the values are those that rules compare with. */
const PREFERRED = 0.8;
/** So many of the parts of their keys stay. */
const KEPT = 0.5;
/** So many inputs of tables of others have values of one of their rows. */
const STORED = 0.7;

/** Makes inputs that the contract's schemas and references allow. */
export class Inputs {
  readonly #document: OpenApiDocument;
  readonly #random: Random;
  readonly #rows: Referable;
  readonly #values: Sampler;
  readonly #preferred: PreferredValues;

  /** `preferred`: the values that rules of the contract compare with. */
  constructor(document: OpenApiDocument, random: Random, rows: Referable, preferred: PreferredValues = () => []) {
    this.#preferred = preferred;
    this.#document = document;
    this.#random = random;
    this.#rows = rows;
    this.#values = randomSampler(document, random);
  }

  /** A complete resource with fresh values for unique properties and references to existing rows. */
  whole(resource: ResourceDescriptor, caller?: Caller): Input {
    const schema = this.schemaOf(resource.schemas.input);
    const made = this.#withReferences(resource, schema, this.#values.of({ ...schema, examples: [] }) as Input, caller);
    return { ...made, ...this.#storedValues(resource, Object.keys(schema.properties ?? {})) };
  }

  /** A patch of some properties. It rarely changes a state, because few transitions are legal. */
  patch(resource: ResourceDescriptor, caller?: Caller): Input {
    const schema = this.schemaOf(resource.schemas.patch);
    const made = this.#values.of({ ...schema, examples: [] }) as Input;
    const value = this.#withReferences(resource, schema, made, caller);
    Object.assign(value, this.#storedValues(resource, Object.keys(value)));
    for (const { name, transitions } of resource.properties)
      if (transitions && this.#random.chance(0.7)) delete value[name];
    return value;
  }

  /** Every property of the schema with a value other than null, as the basis of invalid values. */
  full(resource: ResourceDescriptor, kind: 'input' | 'patch', caller?: Caller): Input {
    const schema = this.schemaOf(resource.schemas[kind]);
    const required = Object.keys(schema.properties ?? {});
    for (let tries = 0; ; tries += 1) {
      const value = this.#values.of({ ...schema, examples: [], required }) as Input;
      const isFull = Object.values(value).every((one) => one !== null);
      if (isFull || tries > 50) return this.#withReferences(resource, schema, value, caller);
    }
  }

  required(resource: ResourceDescriptor, caller?: Caller): Input {
    const whole = this.whole(resource, caller);
    const { required = [] } = this.schemaOf(resource.schemas.input);
    return Object.fromEntries(Object.entries(whole).filter(([name]) => required.includes(name)));
  }

  invalid(resource: ResourceDescriptor, kind: 'input' | 'patch'): InvalidValue[] {
    const coerced = new Set([...idNames(resource)].map((name) => `${name}: a number`));
    const values = invalidValues(this.#document, this.schemaOf(resource.schemas[kind]), this.full(resource, kind));
    return values.filter(({ label }) => !coerced.has(label));
  }

  schemaOf(name: string | undefined): ValueSchema {
    const schemas = namedSchemas(this.#document) as Readonly<Record<string, ValueSchema>>;
    return flat(this.#document, name === undefined ? undefined : schemas[name]);
  }

  /** A value that a query parameter or a property may have. */
  valueOf(schema: ValueSchema | undefined): unknown {
    return this.#values.of(schema);
  }

  /** Values of one row beside its key, of which some columns are kept. */
  #storedValues(resource: ResourceDescriptor, names: readonly string[]): Input {
    const row = this.#rows.anyRow?.(resource);
    if (!row || !this.#random.chance(STORED)) return {};
    const key = idProperty(resource).columns ?? [];
    const unique = new Set(['id', ...resource.unique.filter((own) => own.length === 1).flat()]);
    const isKept = ({ name, columns = [] }: PropertyDescriptor): boolean =>
      row[name] != null &&
      names.includes(name) &&
      !unique.has(name) &&
      (!columns.some((column) => key.includes(column)) || this.#random.chance(KEPT));
    const kept = resource.properties.filter(isKept);
    return Object.fromEntries(
      kept.map(({ name, type }) => [name, type === 'json' ? JSON.parse(String(row[name])) : row[name]]),
    );
  }

  #withReferences(
    resource: ResourceDescriptor,
    { properties = {} }: ValueSchema,
    value: Input,
    caller: Caller | undefined,
  ): Input {
    const own = resource.unique.map((names) => names.filter((name) => name !== resource.tenant?.property));
    const single = own.filter((names) => names.length === 1).flat();
    const unique = new Set(isIdChosen(resource) ? ['id', ...single] : single);
    for (const property of resource.properties) {
      const { name } = property;
      if (value[name] === undefined || value[name] === null) continue;
      if (property.references) value[name] = this.#existing(property, caller) ?? value[name];
      else if (unique.has(name)) value[name] = this.#values.of(withoutExamples(flat(this.#document, properties[name])));
      else value[name] = this.#preferredOr(resource.key, name, value[name]);
    }
    return value;
  }

  #preferredOr(resource: string, property: string, value: unknown): unknown {
    const preferred = this.#preferred(resource, property);
    return preferred.length > 0 && this.#random.chance(PREFERRED) ? this.#random.pick(preferred) : value;
  }

  #existing({ references }: PropertyDescriptor, caller: Caller | undefined): Id | undefined {
    return this.#rows.anyId(references!.resource, caller);
  }
}

function withoutExamples(schema: ValueSchema): ValueSchema {
  return { ...schema, examples: [] };
}
