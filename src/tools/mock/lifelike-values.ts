import type { OpenApiDocument } from '../../descriptor/document.ts';
import type { SchemaRegistry } from '../../runtime/schema/schema-registry.ts';
import { Random } from '../synthetic/random.ts';
import { branchesOf, flat, takesNull, typesOf, type ValueSchema } from '../synthetic/schema.ts';
import { Values } from '../synthetic/values.ts';
import { Words } from './words.ts';

const MAX_DEPTH = 6;
const MAX_ITEMS = 3;
const NULL_PROBABILITY = 0.15;
const OPTIONAL_PROBABILITY = 0.8;
const EXAMPLE_PROBABILITY = 0.5;
/** The largest number where the schema has no bounds. */
const DEFAULT_MAXIMUM = 100;
const DEFAULT_LENGTH = 20;
const PRICE = /price|amount|total|cost|fee|salary|balance/i;
const MAX_PRICE = 20_000;

export interface LifelikeOptions {
  readonly document: OpenApiDocument;
  readonly schemas: SchemaRegistry;
  readonly seed: number;
}

/** Makes realistic values that match a schema; the same values for the same seed. */
export class LifelikeValues {
  readonly random: Random;
  readonly #document: OpenApiDocument;
  readonly #schemas: SchemaRegistry;
  readonly #words: Words;
  readonly #any: Values;

  constructor({ document, schemas, seed }: LifelikeOptions) {
    this.#document = document;
    this.#schemas = schemas;
    this.random = new Random(seed);
    this.#words = new Words(seed);
    this.#any = new Values(document, this.random);
  }

  /** A value for a schema; `name` is that of the property, if there is one. */
  of(name: string, given: ValueSchema | undefined, isOfPerson = false, depth = 0): unknown {
    const schema = flat(this.#document, given);
    if ('const' in schema) return schema.const;
    if (schema.enum) return this.random.pick(schema.enum.filter((value) => value !== null));
    if (takesNull(this.#document, schema) && this.random.chance(NULL_PROBABILITY)) return null;
    const branches = branchesOf(this.#document, schema);
    if (branches.length > 0) return this.of(name, this.random.pick(branches), isOfPerson, depth + 1);
    switch (typesOf(schema).find((type) => type !== 'null')) {
      case 'boolean':
        return this.random.chance(0.5);
      case 'integer':
      case 'number':
        return this.#number(name, schema);
      case 'string':
        return this.#text(name, schema, given, isOfPerson);
      case 'array':
        return this.#array(name, schema, depth);
      default:
        return this.#object(schema, depth);
    }
  }

  #number(name: string, schema: ValueSchema): number {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
    const least = minimum ?? (exclusiveMinimum === undefined ? 0 : exclusiveMinimum + 1);
    const most = maximum ?? (exclusiveMaximum === undefined ? Number.POSITIVE_INFINITY : exclusiveMaximum - 1);
    const span = Math.min(most - least, PRICE.test(name) ? MAX_PRICE : DEFAULT_MAXIMUM);
    const whole = least + this.random.below(Math.floor(span) + 1);
    const isFraction = typesOf(schema).includes('number') && whole + 0.5 <= most;
    return isFraction ? whole + this.random.below(10) / 20 : whole;
  }

  /** A text suggested by the name, or else an example, or else any text that matches the schema. */
  #text(name: string, schema: ValueSchema, given: ValueSchema | undefined, isOfPerson: boolean): string {
    const suggested = this.#words.text(name, schema.format, isOfPerson)?.slice(0, schema.maxLength);
    if (suggested !== undefined && this.#isValid(given, suggested)) return suggested;
    if (schema.examples?.length && this.random.chance(EXAMPLE_PROBABILITY))
      return this.random.pick(schema.examples) as string;
    const maxLength = Math.max(schema.minLength ?? 0, Math.min(schema.maxLength ?? DEFAULT_LENGTH, DEFAULT_LENGTH));
    return String(this.#any.of({ ...schema, maxLength, type: 'string', examples: [] }));
  }

  #isValid(schema: ValueSchema | undefined, value: string): boolean {
    return this.#schemas.output((schema ?? {}) as never)(value) === undefined;
  }

  #array(
    name: string,
    { minItems = 0, maxItems = MAX_ITEMS, uniqueItems, items }: ValueSchema,
    depth: number,
  ): unknown[] {
    const most = depth > MAX_DEPTH ? minItems : Math.max(minItems, Math.min(maxItems, MAX_ITEMS));
    const length = minItems + this.random.below(most - minItems + 1);
    const values = Array.from({ length }, () => this.of(name, items, false, depth + 1));
    return uniqueItems ? [...new Map(values.map((value) => [JSON.stringify(value), value])).values()] : values;
  }

  #object({ properties = {}, required = [] }: ValueSchema, depth: number): object {
    const isPart = (name: string) =>
      required.includes(name) || (depth < MAX_DEPTH && this.random.chance(OPTIONAL_PROBABILITY));
    const names = Object.keys(properties).filter(isPart);
    return Object.fromEntries(names.map((name) => [name, this.of(name, properties[name], false, depth + 1)]));
  }
}
