import type { OpenApiDocument } from '../../descriptor/document.ts';
import { multiple, type NumberRange, rangeOf } from './number-range.ts';
import { alternativesOf, flat, laidOver, takesNull, typesOf, type ValueSchema } from './value-schema.ts';

/** Where a value stands. */
export interface Place {
  /** Of the property, or of the one that holds the array; `''` at the top. */
  readonly name: string;
  /** Objects and arrays around the value. */
  readonly depth: number;
  /** The schema as the document has it, with its references. */
  readonly schema: ValueSchema | undefined;
}

/** What is chosen where a schema leaves a choice. */
export interface SamplePolicy {
  /** The step between numbers that need not be whole. */
  readonly fraction: number;
  /** The value of a schema that says nothing. */
  readonly anything: unknown;
  /** Properties with this keyword are never there: those of the other direction. */
  readonly leavesOut?: 'readOnly' | 'writeOnly' | undefined;
  /** Values that the schema itself gives, of which one is picked; none: the value is made. */
  given(schema: ValueSchema, place: Place): readonly unknown[];
  pick<T>(choices: readonly T[]): T;
  isNull(): boolean;
  /** Whether an object has a property that it need not have. */
  has(): boolean;
  boolean(): boolean;
  /** How many steps of the range. */
  number(range: NumberRange, place: Place): number;
  /** Undefined: the schema does not say enough. */
  text(schema: ValueSchema, place: Place): string | undefined;
  /** How many entries an array has, from `least` to `most`. */
  length(least: number, most: number): number;
}

/** Deeper objects have no more than they must, so that schemas that contain themselves come to an end. */
const MAX_DEPTH = 6;
/** What must contain itself has no value. */
const ENDLESS_DEPTH = 10;
const MAX_ITEMS = 3;
/** Draws for each entry of an array whose entries differ. */
const TRIES = 10;

/** Makes values that schemas describe, as its policy chooses. */
export class Sampler {
  readonly #document: OpenApiDocument;
  readonly #policy: SamplePolicy;

  constructor(document: OpenApiDocument, policy: SamplePolicy) {
    this.#document = document;
    this.#policy = policy;
  }

  /** A value of the schema, for a property of this name; undefined where the schema does not say enough. */
  of(schema: ValueSchema | undefined, name = ''): unknown {
    return this.#at({ name, depth: 0, schema });
  }

  #at(place: Place): unknown {
    return place.depth > ENDLESS_DEPTH ? undefined : this.#valueOf(flat(this.#document, place.schema), place);
  }

  #valueOf(schema: ValueSchema, place: Place): unknown {
    if ('const' in schema) return schema.const;
    if (takesNull(this.#document, schema) && this.#policy.isNull()) return null;
    const given = this.#policy.given(schema, place);
    if (given.length > 0) return this.#policy.pick(given);
    if (schema.enum) return this.#policy.pick(schema.enum);
    const alternatives = alternativesOf(this.#document, schema);
    return alternatives.length > 0
      ? this.#alternative(schema, this.#policy.pick(alternatives), place)
      : this.#typed(schema, place);
  }

  /** What stands beside the alternatives holds for each of them. */
  #alternative(schema: ValueSchema, chosen: ValueSchema, place: Place): unknown {
    const { oneOf: _, anyOf: __, discriminator: ___, examples: ____, example: _____, ...beside } = schema;
    return this.#valueOf(laidOver(beside, flat(this.#document, chosen)), { ...place, schema: chosen });
  }

  #typed(schema: ValueSchema, place: Place): unknown {
    const types = typesOf(schema);
    switch (types.find((type) => type !== 'null')) {
      case 'boolean':
        return this.#policy.boolean();
      case 'integer':
      case 'number':
        return this.#number(schema, place);
      case 'string':
        return this.#policy.text(schema, place);
      case 'array':
        return this.#array(schema, place);
      case 'object':
        return this.#object(schema, place);
      default:
        if (schema.properties) return this.#object(schema, place);
        return types.length > 0 ? null : this.#policy.anything;
    }
  }

  #number(schema: ValueSchema, place: Place): number {
    const range = rangeOf(schema, this.#policy.fraction);
    return multiple(this.#policy.number(range, place), range.step);
  }

  #array({ minItems = 0, maxItems = MAX_ITEMS, uniqueItems, items }: ValueSchema, place: Place): unknown[] {
    const most = place.depth > MAX_DEPTH ? minItems : Math.max(minItems, Math.min(maxItems, MAX_ITEMS));
    const length = this.#policy.length(minItems, most);
    const draw = (): unknown => this.#at({ name: place.name, depth: place.depth + 1, schema: items });
    if (!uniqueItems) return Array.from({ length }, draw);
    const entries = new Map<string | undefined, unknown>();
    for (let i = 0; i < length * TRIES && entries.size < length; i++) {
      const entry = draw();
      entries.set(JSON.stringify(entry), entry);
    }
    return [...entries.values()];
  }

  #object(schema: ValueSchema, { depth }: Place): object {
    const { properties = {} } = schema;
    const names = this.#memberNames(schema, depth);
    // What is required and described nowhere may be anything, and must be something.
    const member = (name: string): unknown => {
      const schema = properties[name];
      return schema === undefined ? (this.#policy.anything ?? null) : this.#at({ name, depth: depth + 1, schema });
    };
    return Object.fromEntries(names.map((name) => [name, member(name)]));
  }

  /** Those that are required, and of the others as many as are chosen, within the bounds of the schema. */
  #memberNames({ properties = {}, required = [], minProperties = 0, maxProperties }: ValueSchema, depth: number) {
    const isPart = (name: string): boolean => required.includes(name) || (depth < MAX_DEPTH && this.#policy.has());
    const isPossible = (name: string): boolean => !this.#isLeftOut(properties[name]);
    const known = Object.keys(properties).filter(isPossible);
    const names = new Set([...known.filter(isPart), ...required.filter(isPossible)]);
    while (names.size < Math.min(minProperties, known.length))
      names.add(this.#policy.pick(known.filter((name) => !names.has(name))));
    for (const name of [...names].reverse())
      if (names.size > (maxProperties ?? Number.POSITIVE_INFINITY) && !required.includes(name)) names.delete(name);
    return [...names];
  }

  #isLeftOut(schema: ValueSchema | undefined): boolean {
    const { leavesOut } = this.#policy;
    return leavesOut !== undefined && schema !== undefined && flat(this.#document, schema)[leavesOut] === true;
  }
}
