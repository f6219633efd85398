import {
  type NumberRange,
  type Place,
  type SamplePolicy,
  Sampler,
  type ValueSchema,
} from '../../compiler/json-schema/index.ts';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import type { SchemaRegistry } from '../../runtime/schema/index.ts';
import { Random } from '../random.ts';
import { randomPolicy, randomText } from '../synthetic/values.ts';
import { Words } from './words.ts';

const NULL = 0.15;
const OPTIONAL = 0.8;
const EXAMPLE = 0.5;
/** Of a number without bounds. */
const COMMON_MAXIMUM = 100;
const COMMON_LENGTH = 20;
const PRICE = /price|amount|total|cost|fee|salary|balance/i;
const MAX_PRICE = 20_000;

export interface LifelikeOptions {
  readonly document: OpenApiDocument;
  readonly schemas: SchemaRegistry;
  readonly seed: number;
}

interface Drawn {
  readonly isOfPerson?: boolean;
  readonly budget?: number;
}

/** Makes values that a schema describes and that read as if they were real; the same for a seed. */
export class LifelikeValues {
  readonly random: Random;
  readonly #schemas: SchemaRegistry;
  readonly #words: Words;
  readonly #ofPersons: Sampler;
  readonly #ofThings: Sampler;

  constructor({ document, schemas, seed }: LifelikeOptions) {
    this.#schemas = schemas;
    this.random = new Random(seed);
    this.#words = new Words(seed);
    this.#ofPersons = new Sampler(document, this.#policy(true));
    this.#ofThings = new Sampler(document, this.#policy(false));
  }

  /** A value of a property, or of whatever has this name, made of about `budget` values at most. */
  of(name: string, schema: ValueSchema | undefined, { isOfPerson = false, budget }: Drawn = {}): unknown {
    return (isOfPerson ? this.#ofPersons : this.#ofThings).of(schema, name, budget);
  }

  /** How many values the smallest value is made of; infinite if no value meets the schema. */
  leastSize(schema: ValueSchema | undefined): number {
    return this.#ofThings.leastSize(schema);
  }

  #policy(isOfPerson: boolean): SamplePolicy {
    return {
      ...randomPolicy(this.random),
      fraction: 0.05,
      leavesOut: 'writeOnly',
      given: ({ enum: values = [] }) => values.filter((value) => value !== null),
      isNull: () => this.random.chance(NULL),
      has: () => this.random.chance(OPTIONAL),
      number: (range, { name }) => this.#number(name, range),
      text: (schema, place) => this.#text(schema, place, isOfPerson && place.depth === 0),
    };
  }

  /** In steps. */
  #number(name: string, { least: given, most, step }: NumberRange): number {
    const least = given ?? Math.min(0, most);
    const span = Math.floor((PRICE.test(name) ? MAX_PRICE : COMMON_MAXIMUM) / step);
    return this.random.integer(least, Math.min(most, least + span));
  }

  /** What the name says, else an example, else anything that fits. */
  #text(schema: ValueSchema, { name, schema: declared }: Place, isOfPerson: boolean): string {
    const said = this.#words.text(name, schema.format, isOfPerson)?.slice(0, schema.maxLength);
    if (said !== undefined && this.#isFit(declared, said)) return said;
    if (schema.examples?.length && this.random.chance(EXAMPLE)) return this.random.pick(schema.examples) as string;
    if (schema.format !== undefined) return randomText(this.random, schema);
    const maxLength = Math.max(schema.minLength ?? 0, Math.min(schema.maxLength ?? COMMON_LENGTH, COMMON_LENGTH));
    return randomText(this.random, { ...schema, maxLength });
  }

  #isFit(schema: ValueSchema | undefined, value: string): boolean {
    return this.#schemas.output((schema ?? {}) as never)(value) === undefined;
  }
}
