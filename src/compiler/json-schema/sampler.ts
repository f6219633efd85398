import type { OpenApiDocument } from '../../descriptor/document.ts';
import { isLeftOut, kindOf, LeastSizes, leastLength } from './least-size.ts';
import type { Narrowed } from './narrowed.ts';
import { multiple, type NumberRange, rangeOf } from './number-range.ts';
import type { ValueSchema } from './value-schema.ts';
import { tupleLength, type Whole, WholeSchemas } from './whole-schema.ts';

/** Where a value stands. */
export interface Place {
  /** Of the property, or of the one that holds the array; `''` at the top. */
  readonly name: string;
  /** Objects and arrays around the value. */
  readonly depth: number;
  /** A schema that the value must meet, with its references. */
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

/** Values that one value may be made of, as far as its schema leaves a choice. */
export const BUDGET = 500;
/** Values that one value may be made of. What needs more is not made. */
export const MAX_VALUES = 5_000;
const MAX_ITEMS = 3;
/** Draws for each entry of an array whose entries differ. */
const TRIES = 10;

/** A place, and how many values may be made there. */
interface Spot extends Place {
  readonly budget: number;
}

/** Makes values that schemas describe, as its policy chooses. */
export class Sampler {
  readonly #policy: SamplePolicy;
  readonly #wholes: WholeSchemas;
  readonly #sizes: LeastSizes;

  constructor(document: OpenApiDocument, policy: SamplePolicy) {
    this.#policy = policy;
    this.#wholes = new WholeSchemas(document);
    this.#sizes = new LeastSizes(this.#wholes, policy.leavesOut);
  }

  /** A value of the schema, for a property of this name; undefined where the schema does not say enough, or no value is small enough. */
  of(schema: ValueSchema | undefined, name = '', budget = BUDGET): unknown {
    const whole = this.#wholes.of(schema);
    return this.#sizes.of(whole) > MAX_VALUES ? undefined : this.#at(whole, { name, depth: 0, schema, budget });
  }

  /** How many values the smallest value is made of; infinite if no value meets the schema. */
  leastSize(schema: ValueSchema | undefined): number {
    return this.#sizes.of(this.#wholes.of(schema));
  }

  #at(whole: Whole, spot: Spot): unknown {
    const { schema } = whole;
    if (schema.enum?.length === 1) return schema.enum[0];
    const isNullable = this.#wholes.isNullable(whole);
    if (isNullable && this.#policy.isNull()) return null;
    const given = this.#policy.given(schema, spot);
    if (given.length > 0) return this.#policy.pick(given);
    if (schema.enum) return this.#policy.pick(schema.enum);
    const alternatives = this.#wholes.alternatives(whole);
    if (!alternatives) return this.#typed(whole, spot);
    const chosen = this.#choice(alternatives, spot.budget - 1);
    return chosen ? this.#at(chosen, { ...spot, schema: chosen.source, budget: spot.budget - 1 }) : null;
  }

  /** Of the alternatives that the budget suffices for; else the smallest. */
  #choice(alternatives: readonly Whole[], budget: number): Whole | undefined {
    const possible = alternatives.filter((one) => this.#sizes.of(one) <= budget);
    if (possible.length > 0) return this.#policy.pick(possible);
    const least = Math.min(...alternatives.map((one) => this.#sizes.of(one)));
    return Number.isFinite(least) ? alternatives.find((one) => this.#sizes.of(one) === least) : undefined;
  }

  #typed(whole: Whole, spot: Spot): unknown {
    switch (kindOf(whole)) {
      case 'boolean':
        return this.#policy.boolean();
      case 'integer':
      case 'number':
        return this.#number(whole.schema, spot);
      case 'string':
        return this.#policy.text(whole.schema, spot);
      case 'array':
        return this.#array(whole, spot);
      case 'object':
        return this.#object(whole, spot);
      case 'null':
        return null;
      default:
        return this.#policy.anything;
    }
  }

  #number(schema: Narrowed, place: Place): number {
    const range = rangeOf(schema, this.#policy.fraction);
    return multiple(this.#policy.number(range, place), range.step);
  }

  #array(whole: Whole, spot: Spot): unknown[] {
    const { maxItems = Number.POSITIVE_INFINITY, uniqueItems } = whole.schema;
    const budget = spot.budget - 1;
    const least = this.#affordable(whole, leastLength(whole), Math.min(maxItems, tupleLength(whole)), budget);
    const most = this.#affordable(whole, least, Math.min(maxItems, Math.max(least, MAX_ITEMS)), budget);
    const length = this.#policy.length(least, most);
    const share = Math.floor(budget / Math.max(length, 1));
    const demanded = this.#demanded(whole, length);
    const draw = (index: number): unknown => {
      const item = demanded.get(index) ?? this.#wholes.item(whole, index);
      return this.#inside(item, { name: spot.name, depth: spot.depth + 1, schema: item?.source, budget: share });
    };
    if (!uniqueItems) return Array.from({ length }, (_, index) => draw(index));
    const entries = new Map<string | undefined, unknown>();
    for (let i = 0; i < length * TRIES && entries.size < length; i++) {
      const entry = draw(entries.size);
      entries.set(JSON.stringify(entry), entry);
    }
    return [...entries.values()];
  }

  /** How many entries the budget suffices for, from `least` to `most`. */
  #affordable(whole: Whole, least: number, most: number, budget: number): number {
    let length = least;
    let left = budget;
    for (let index = 0; index < most; index += 1) {
      left -= this.#sizes.of(this.#wholes.item(whole, index));
      if (left < 0) break;
      length = Math.max(length, index + 1);
    }
    return length;
  }

  /** Entries that meet `contains`: the last ones. */
  #demanded(whole: Whole, length: number): ReadonlyMap<number, Whole> {
    const found = new Map<number, Whole>();
    for (const { contains, minContains = 1 } of whole.parts) {
      const first = contains === undefined ? length : Math.max(0, length - minContains);
      for (let index = first; index < length; index += 1) {
        const item = found.get(index) ?? this.#wholes.item(whole, index);
        found.set(index, this.#wholes.of(item?.source, contains));
      }
    }
    return found;
  }

  /** What no schema describes may be anything, and must be something. */
  #inside(whole: Whole | undefined, spot: Spot): unknown {
    return whole ? this.#at(whole, spot) : (this.#policy.anything ?? null);
  }

  #object(whole: Whole, { depth, budget }: Spot): object {
    const { names, whole: complete } = this.#members(whole, budget - 1);
    const made: Record<string, unknown> = {};
    let left = budget - 1 - this.#sum(complete, names);
    names.forEach((name, index) => {
      const member = this.#wholes.member(complete, name);
      const share = Math.max(0, Math.floor(left / (names.length - index)));
      left -= share;
      const spot = { name, depth: depth + 1, schema: member?.source, budget: this.#sizes.of(member) + share };
      Object.defineProperty(made, name, { ...OWN, value: this.#inside(member, spot) });
    });
    return made;
  }

  /** The names of an object's properties, and the schema of an object that has these. */
  #members(whole: Whole, budget: number): { readonly names: readonly string[]; readonly whole: Whole } {
    const names = this.#names(whole, budget);
    const known = new Set(whole.parts);
    const more = names.flatMap((name) =>
      whole.parts.flatMap(({ dependentSchemas = {} }) => dependentSchemas[name] ?? []),
    );
    const complete = this.#wholes.of(...whole.parts, ...more);
    return complete.parts.every((part) => known.has(part)) ? { names, whole } : this.#members(complete, budget);
  }

  /** Those that are required, and of the others as many as are chosen and the budget suffices for, within the bounds of the schema. */
  #names(whole: Whole, budget: number): readonly string[] {
    const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = whole.schema;
    const isPossible = (name: string): boolean => this.#isPossible(this.#wholes.member(whole, name));
    const required = needed(whole, (whole.schema.required ?? []).filter(isPossible));
    const optional = propertyNames(whole).filter((name) => !required.has(name) && isPossible(name));
    let left = budget - this.#sum(whole, [...required]);
    const names = new Set<string>();
    const add = (name: string): void => {
      const size = this.#sizes.of(this.#wholes.member(whole, name));
      if (size > left || names.size + required.size >= maxProperties) return;
      left -= size;
      names.add(name);
    };
    for (const name of optional) if (this.#policy.has()) add(name);
    const others = optional.filter((name) => !names.has(name));
    while (names.size + required.size < minProperties && others.length > 0) {
      const [name] = others.splice(others.indexOf(this.#policy.pick(others)), 1);
      add(name!);
    }
    const inOrder = propertyNames(whole).filter((name) => names.has(name) || required.has(name));
    const all = needed(whole, [...inOrder, ...required]);
    for (const name of this.#freeNames(whole, minProperties - all.size)) all.add(name);
    return [...all];
  }

  /** Names of properties that the schema has no names for, if any are needed or it describes nothing else. */
  #freeNames(whole: Whole, missing: number): readonly string[] {
    const values = whole.parts.find((part) => typeof part.additionalProperties === 'object' || part.patternProperties);
    const least = Math.max(0, missing);
    const isMap = values !== undefined && propertyNames(whole).length === 0;
    const length = isMap ? this.#policy.length(least, Math.max(least, MAX_ITEMS - 1)) : least;
    const [pattern] = Object.keys(values?.patternProperties ?? {});
    const named = whole.parts.map(({ propertyNames }) => propertyNames).filter((one) => one !== undefined);
    const name = this.#wholes.of(...named, ...(pattern === undefined ? [] : [{ pattern }]));
    const isFree = name.parts.length === 0;
    const spot = { name: 'key', depth: 1, schema: name.source };
    const draw = (_: unknown, index: number) =>
      isFree ? `key${index + 1}` : String(name.schema.enum?.[index] ?? this.#policy.text(name.schema, spot));
    return Array.from({ length }, draw).filter((one) => this.#isPossible(this.#wholes.member(whole, one)));
  }

  #isPossible(member: Whole | undefined): boolean {
    if (!member) return true;
    return !isLeftOut(member.schema, this.#policy.leavesOut) && Number.isFinite(this.#sizes.of(member));
  }

  #sum(whole: Whole, names: readonly string[]): number {
    return names.reduce((sum, name) => sum + this.#sizes.of(this.#wholes.member(whole, name)), 0);
  }
}

const OWN = { writable: true, enumerable: true, configurable: true };

const propertyNames = ({ parts }: Whole): readonly string[] => [
  ...new Set(parts.flatMap(({ properties = {} }) => Object.keys(properties))),
];

/** The names, and those that `dependentRequired` adds to them. */
function needed({ parts }: Whole, names: readonly string[]): Set<string> {
  const all = new Set(names);
  for (const name of all)
    for (const { dependentRequired = {} } of parts)
      if (Object.hasOwn(dependentRequired, name)) for (const one of dependentRequired[name]!) all.add(one);
  return all;
}
