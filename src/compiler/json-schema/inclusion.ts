import { isDeepStrictEqual } from 'node:util';
import type { OpenApiDocument, Schema } from '../../descriptor/document.ts';
import { namesReached } from './names-reached.ts';
import { hasType, meetsKeywords } from './narrower-keywords.ts';
import { nodeAt } from './references.ts';
import { typesOf, type ValueSchema } from './value-schema.ts';
import { tupleLength, type Whole, WholeSchemas } from './whole-schema.ts';

/** What a comparison takes for granted. */
export interface Reading {
  /** Properties of the other direction: a request has none that are `readOnly`, an answer none that are `writeOnly`. */
  readonly leavesOut: 'readOnly' | 'writeOnly';
  /** Whether objects may have properties that the wider schema does not name: readers ignore them. */
  readonly isOpen: boolean;
}

/** A document's schemas. */
interface Side {
  readonly wholes: WholeSchemas;
  /** Whether a schema is written in both documents alike, with all that it refers to. */
  isShared(schema: ValueSchema): boolean;
}

/** Two documents, the released one first. */
export type Sides = readonly [Side, Side];

/** Throws nothing: what either document lacks is not shared. */
export function sidesOf(before: OpenApiDocument, after: OpenApiDocument): Sides {
  const [old, now] = [before, after].map((one) => (nodeAt(one, '#/components/schemas') ?? {}) as Named) as [
    Named,
    Named,
  ];
  const alike = new Set(Object.keys(old).filter((name) => isDeepStrictEqual(old[name], now[name])));
  const isAlike = (schema: unknown): boolean => [...namesReached(before, [schema])].every((name) => alike.has(name));
  const shared = new Set([...alike].filter((name) => isAlike(old[name])));
  const sideOf = (document: OpenApiDocument): Side => ({
    wholes: new WholeSchemas(document),
    isShared: (schema) => [...namesReached(document, [schema])].every((name) => shared.has(name)),
  });
  return [sideOf(before), sideOf(after)];
}

type Named = Readonly<Record<string, unknown>>;

/** The place at which a narrower schema allows more than the wider one: the schemas of each side, the nearest first. */
export interface Gap {
  readonly narrow: readonly object[];
  readonly wide: readonly object[];
}

const TYPES = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const;
const NOTHING: ValueSchema = {};
/** Keywords that are judged by their text alone. */
const OPAQUE = ['not', 'if', 'contains', 'propertyNames', 'dependentRequired', 'dependentSchemas', 'unevaluatedItems'];
const MAX_SPLITS = 64;

/**
 * Decides whether every value of one schema is a value of another, of another document. It proves so or does not: what it
 * cannot decide is not included.
 */
export class Inclusion {
  readonly #narrow: Side;
  readonly #wide: Side;
  readonly #reading: Reading;
  readonly #known = new Map<Whole, Map<Whole, Gap | 'included'>>();
  readonly #shown: (readonly [Map<Whole, Gap | 'included'>, Whole])[] = [];
  #gap: Gap | undefined;

  constructor(narrow: Side, wide: Side, reading: Reading) {
    this.#narrow = narrow;
    this.#wide = wide;
    this.#reading = reading;
  }

  /** Undefined if all values are included; else the innermost place where that is not proved. */
  gap(narrow: Schema | undefined, wide: Schema | undefined): Gap | undefined {
    this.#gap = undefined;
    const [inner, outer] = [
      this.#narrow.wholes.of(narrow as ValueSchema | undefined),
      this.#wide.wholes.of(wide as ValueSchema | undefined),
    ];
    return this.#includes(inner, outer) ? undefined : (this.#gap ?? this.#gapBetween(inner, outer));
  }

  #gapBetween(narrow: Whole, wide: Whole): Gap {
    const schemas = ({ wholes }: Side, { source, parts }: Whole): readonly object[] => [
      source,
      ...parts.toReversed().map((part) => wholes.declared(part)),
    ];
    return { narrow: schemas(this.#narrow, narrow), wide: schemas(this.#wide, wide) };
  }

  /** Of schemas that contain themselves, what is to be shown inside may be taken for shown. */
  #includes(narrow: Whole, wide: Whole): boolean {
    if (wide.parts.length === 0 || narrow.schema.enum?.length === 0) return true;
    const known = this.#known.get(narrow) ?? new Map<Whole, Gap | 'included'>();
    this.#known.set(narrow, known);
    const verdict = known.get(wide) ?? 'included';
    if (!known.has(wide)) {
      const before = this.#shown.length;
      this.#shown.push([known, wide]);
      known.set(wide, verdict);
      if (this.#isImplied(narrow, wide) || this.#splits(narrow).every((one) => this.#fits(one, wide))) return true;
      // What was shown by means of this has not been shown.
      for (const [others, one] of this.#shown.splice(before)) others.delete(one);
      this.#gap ??= this.#gapBetween(narrow, wide);
      known.set(wide, this.#gap);
      return false;
    }
    if (verdict !== 'included') this.#gap ??= verdict;
    return verdict === 'included';
  }

  /** Whether each part of the wider schema is one of the narrower, too. */
  #isImplied(narrow: Whole, wide: Whole): boolean {
    return wide.parts.every((part) => this.#isPart(narrow, part));
  }

  #isPart(narrow: Whole, part: ValueSchema): boolean {
    return this.#wide.isShared(part) && narrow.parts.some((own) => isDeepStrictEqual(own, part));
  }

  /** Schemas without unions, of one type or one value each, that have all values of the schema together. */
  #splits(whole: Whole): readonly Whole[] {
    const { wholes } = this.#narrow;
    const done: Whole[] = [];
    const left = [whole];
    for (let one = left.pop(); one !== undefined; one = left.pop()) {
      if (done.length + left.length > MAX_SPLITS) return [wholes.of(NOTHING)];
      const alternatives = wholes.alternatives(one);
      if (alternatives) left.push(...alternatives, ...(wholes.isNullable(one) ? [wholes.of({ type: 'null' })] : []));
      else done.push(...this.#single(one));
    }
    return done;
  }

  #single(whole: Whole): readonly Whole[] {
    const { wholes } = this.#narrow;
    const { schema } = whole;
    const { enum: values } = schema;
    if (values) return values.length > MAX_SPLITS ? [whole] : values.map((value) => wholes.of(constant(value)));
    const types = schema.type === undefined ? TYPES : typesOf(schema);
    return types.length === 1 ? [whole] : types.map((type) => wholes.of(...whole.parts, typed(type)));
  }

  /** Whether a schema without unions is included in one of the alternatives, or in the keywords of the wider schema. */
  #fits(narrow: Whole, wide: Whole): boolean {
    if (narrow.schema.enum?.length === 0) return true;
    if (typesOf(narrow.schema).join() === 'null' || isNull(narrow)) {
      return this.#wide.wholes.isNullable(wide) || wide.parts.every((part) => isIdle(part));
    }
    const alternatives = this.#wide.wholes.alternatives(wide);
    if (!alternatives) return this.#meets(narrow, wide);
    if (wide.parts.some((part) => part.if !== undefined && !this.#isPart(narrow, part))) return false;
    const isOne = wide.parts.some(({ oneOf }) => oneOf !== undefined);
    return alternatives.some(
      (one, index) =>
        this.#quietly(() => this.#fits(narrow, one)) &&
        (!isOne || alternatives.every((other, at) => at === index || this.#isDisjoint(narrow, other))),
    );
  }

  /** Keeps the gaps of an alternative to itself: others are left. */
  #quietly(decide: () => boolean): boolean {
    const before = this.#gap;
    const verdict = decide();
    this.#gap = before;
    return verdict;
  }

  #isDisjoint(narrow: Whole, other: Whole): boolean {
    const both = this.#narrow.wholes.of(...narrow.parts, ...other.parts);
    return both.schema.enum?.length === 0 || this.#requiresNothing(both);
  }

  /** Whether an object must have a property that no value is allowed for. */
  #requiresNothing(whole: Whole): boolean {
    const { wholes } = this.#narrow;
    return (whole.schema.required ?? []).some((name) => wholes.member(whole, name)?.schema.enum?.length === 0);
  }

  #meets(narrow: Whole, wide: Whole): boolean {
    const isOpaque = (part: ValueSchema): boolean =>
      OPAQUE.some((keyword) => keyword in part) && !this.#isPart(narrow, part);
    return (
      !wide.parts.some(isOpaque) &&
      meetsKeywords(narrow.schema, wide.schema) &&
      this.#meetsPatterns(narrow, wide) &&
      (!hasType(narrow.schema, 'object') || this.#meetsMembers(narrow, wide)) &&
      (!hasType(narrow.schema, 'array') || this.#meetsItems(narrow, wide))
    );
  }

  #meetsPatterns({ parts, schema }: Whole, wide: Whole): boolean {
    if (!hasType(schema, 'string')) return true;
    const own = new Set(parts.map(({ pattern }) => pattern));
    return wide.parts.every(
      ({ pattern }) =>
        pattern === undefined || own.has(pattern) || (schema.enum?.every((one) => matches(pattern, one)) ?? false),
    );
  }

  #meetsMembers(narrow: Whole, wide: Whole): boolean {
    const { leavesOut } = this.#reading;
    const required = new Set(narrow.schema.required);
    const isSent = (whole: Whole, side: Side, name: string): boolean =>
      side.wholes.member(whole, name)?.schema[leavesOut] !== true;
    const isMet = (wide.schema.required ?? []).every(
      (name) => !isSent(wide, this.#wide, name) || (required.has(name) && isSent(narrow, this.#narrow, name)),
    );
    const names = new Set([...namesOf(narrow), ...namesOf(wide)]);
    return isMet && this.#meetsRest(narrow, wide) && [...names].every((name) => this.#meetsMember(narrow, wide, name));
  }

  #meetsMember(narrow: Whole, wide: Whole, name: string): boolean {
    const { leavesOut, isOpen } = this.#reading;
    const own = this.#memberOf(this.#narrow, narrow, name, false);
    if (own === NO_MEMBER || own?.schema[leavesOut] === true) return true;
    const other = this.#memberOf(this.#wide, wide, name, isOpen);
    if (other === NO_MEMBER) return own?.schema.enum?.length === 0;
    if (other?.schema[leavesOut] === true) return isOpen;
    return this.#includes(own ?? this.#narrow.wholes.of(NOTHING), other ?? this.#wide.wholes.of(NOTHING));
  }

  /** Properties that neither schema names. */
  #meetsRest(narrow: Whole, wide: Whole): boolean {
    const patterns = wide.parts.flatMap(({ patternProperties = {} }) => Object.keys(patternProperties));
    const isKept = patterns.every((pattern) =>
      narrow.parts.some((own) => own.patternProperties?.[pattern] !== undefined),
    );
    const own = new Set([...patterns, ...narrow.parts.flatMap((part) => Object.keys(part.patternProperties ?? {}))]);
    if (!isKept && this.#memberOf(this.#narrow, narrow, UNNAMED, false) !== NO_MEMBER) return false;
    return (
      this.#meetsMember(narrow, wide, UNNAMED) && [...own].every((pattern) => this.#meetsPattern(narrow, wide, pattern))
    );
  }

  /** Properties that a pattern names: judged where both have the pattern, or only the narrower one. */
  #meetsPattern(narrow: Whole, wide: Whole, pattern: string): boolean {
    const own = narrow.parts.flatMap(({ patternProperties }) => patternProperties?.[pattern] ?? []);
    if (own.length === 0) return true;
    const others = wide.parts.flatMap(({ patternProperties }) => patternProperties?.[pattern] ?? []);
    const whole = this.#narrow.wholes.of(...own);
    if (others.length > 0) return this.#includes(whole, this.#wide.wholes.of(...others));
    const rest = this.#memberOf(this.#wide, wide, UNNAMED, this.#reading.isOpen);
    return rest !== NO_MEMBER && (rest === undefined || this.#includes(whole, rest));
  }

  /** The whole of a property; undefined if it may be anything, `NO_MEMBER` if it cannot be there. */
  #memberOf(side: Side, whole: Whole, name: string, isOpen: boolean): Whole | undefined | typeof NO_MEMBER {
    const { parts } = whole;
    const described = parts.map((part) => describing(part, name));
    if (described.every((schemas) => schemas.length === 0)) {
      if (isClosed(parts) && !isOpen) return NO_MEMBER;
    }
    const schemas = parts.flatMap((part, index) => {
      const own = described[index] ?? [];
      if (own.length > 0 || part.additionalProperties === undefined) return own;
      return isFalse(part.additionalProperties) && isOpen ? [] : [part.additionalProperties];
    });
    return schemas.length > 0 ? side.wholes.of(...schemas) : undefined;
  }

  #meetsItems(narrow: Whole, wide: Whole): boolean {
    const last = Math.max(tupleLength(narrow), tupleLength(wide));
    const most = narrow.schema.maxItems ?? Number.POSITIVE_INFINITY;
    for (let index = 0; index <= Math.min(last, most - 1); index += 1) {
      const [own, other] = [this.#narrow.wholes.item(narrow, index), this.#wide.wholes.item(wide, index)];
      if (own?.schema.enum?.length === 0) return true;
      if (other && !this.#includes(own ?? this.#narrow.wholes.of(NOTHING), other)) return false;
    }
    return true;
  }
}

const NO_MEMBER = Symbol('no member');
/** The name of properties that no schema names. */
const UNNAMED = '\0';

const constants = new Map<unknown, ValueSchema>();

/** The schema of one value; the same for the same scalar. */
function constant(value: unknown): ValueSchema {
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const known = constants.get(value) ?? { type: Number.isInteger(value) ? 'integer' : type, enum: [value] };
  if (typeof value !== 'object' && constants.size < 10_000) constants.set(value, known);
  return known;
}

const BY_TYPE = new Map<string, ValueSchema>();

function typed(type: string): ValueSchema {
  const known = BY_TYPE.get(type) ?? { type };
  BY_TYPE.set(type, known);
  return known;
}

const isNull = ({ schema }: Whole): boolean => schema.enum?.length === 1 && schema.enum[0] === null;
const isFalse = (schema: unknown): boolean => schema === false;
const unevaluated = (part: ValueSchema): unknown => (part as Record<string, unknown>)['unevaluatedProperties'];
/** Objects whose properties are named have no others, unless a schema says otherwise. */
function isClosed(parts: readonly ValueSchema[]): boolean {
  const said = parts
    .flatMap((part) => [part.additionalProperties, unevaluated(part)])
    .filter((one) => one !== undefined);
  return said.some(isFalse) || (said.length === 0 && parts.some(({ properties }) => properties !== undefined));
}

/** Whether a part says nothing that null could miss. */
const isIdle = (part: ValueSchema): boolean =>
  ['type', 'enum', 'const', 'oneOf', 'anyOf', ...OPAQUE].every((keyword) => !(keyword in part));

const namesOf = ({ parts }: Whole): readonly string[] =>
  parts.flatMap(({ properties = {} }) => Object.keys(properties));

function describing({ properties = {}, patternProperties = {} }: ValueSchema, name: string): readonly ValueSchema[] {
  const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
  const matched = Object.entries(patternProperties).filter(([pattern]) => name !== UNNAMED && matches(pattern, name));
  return [own, ...matched.map(([, schema]) => schema)].filter((one) => one !== undefined);
}

function matches(pattern: string, text: unknown): boolean {
  try {
    return typeof text === 'string' && new RegExp(pattern, 'u').test(text);
  } catch {
    return false;
  }
}
