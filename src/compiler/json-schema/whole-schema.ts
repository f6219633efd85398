import { discriminatedUnion } from '../../descriptor/discriminator.ts';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import { isImpliedPattern } from '../../descriptor/implied-patterns.ts';
import { readPattern } from '../../descriptor/read-pattern.ts';
import { isReference, nodeAt } from '../../descriptor/references.ts';
import { type Narrowed, narrowed } from './narrowed.ts';
import { documentedOf, typesOf, type ValueSchema } from './value-schema.ts';

/** All schemas that apply to one value, with references and `allOf` followed: the same object for the same schemas. */
export interface Whole {
  /** Each once, without `$ref` and `allOf`; nearer to the place of use comes later. */
  readonly parts: readonly ValueSchema[];
  /** The keywords of the value itself that all parts have together. */
  readonly schema: Narrowed;
  /** A schema that means the same. */
  readonly source: ValueSchema;
}

type Union = 'oneOf' | 'anyOf' | 'if';

/** The schema that no value meets. */
const NEVER: ValueSchema = { enum: [] };

/** Looks up the wholes of schemas, which must not change. */
export class WholeSchemas {
  readonly #document: OpenApiDocument;
  readonly #bySchema = new WeakMap<object, Whole>();
  readonly #byParts = new Map<string, Whole>();
  readonly #members = new WeakMap<Whole, Map<string, Whole | undefined>>();
  readonly #alternatives = new WeakMap<Whole, readonly Whole[] | undefined>();
  readonly #parts = new Parts();

  constructor(document: OpenApiDocument) {
    this.#document = document;
  }

  /** The whole of schemas that all apply. */
  of(...schemas: readonly (ValueSchema | undefined)[]): Whole {
    const [only] = schemas;
    if (schemas.length !== 1 || typeof only !== 'object') return this.#whole(schemas);
    const known = this.#bySchema.get(only) ?? this.#whole(schemas);
    this.#bySchema.set(only, known);
    return known;
  }

  /** The schema of the document that a part was taken from. */
  declared(part: ValueSchema): ValueSchema {
    return this.#parts.declared(part);
  }

  /** The whole of a property; undefined if no part describes it. */
  member(whole: Whole, name: string): Whole | undefined {
    return this.#within(whole, `.${name}`, () => {
      const isDescribed = whole.parts.some((part) => memberSchemas(part, name).length > 0);
      const schemasOf = (part: ValueSchema) => [...memberSchemas(part, name), ...this.#exampleOf(part, whole, name)];
      return isDescribed ? whole.parts.flatMap(schemasOf) : [];
    });
  }

  /** The whole of an entry of an array; undefined if no part describes it. */
  item(whole: Whole, index: number): Whole | undefined {
    const place = Math.min(index, tupleLength(whole));
    return this.#within(whole, `[${place}]`, () =>
      whole.parts.flatMap(({ prefixItems, items }) => prefixItems?.[place] ?? items ?? []),
    );
  }

  /** The alternatives of the first union but null; undefined without a union. */
  alternatives(whole: Whole): readonly Whole[] | undefined {
    if (!this.#alternatives.has(whole)) this.#alternatives.set(whole, this.#alternativesOf(whole));
    return this.#alternatives.get(whole);
  }

  /** Whether the schemas say that null is a value. */
  isNullable(whole: Whole, open: ReadonlySet<Whole> = new Set()): boolean {
    const { schema, parts } = whole;
    if (open.has(whole) || (schema.type !== undefined && !typesOf(schema).includes('null'))) return false;
    if (schema.enum && !schema.enum.includes(null)) return false;
    const unions = parts.flatMap(({ oneOf, anyOf }) => [oneOf ?? [], anyOf ?? []]).filter(({ length }) => length > 0);
    const within = new Set([...open, whole]);
    return (
      (schema.type !== undefined || schema.enum !== undefined || unions.length > 0) &&
      unions.every((branches) => branches.some((branch) => this.isNullable(this.of(branch), within)))
    );
  }

  #alternativesOf({ parts }: Whole): readonly Whole[] | undefined {
    const part = parts.find((one) => unionOf(one) !== undefined);
    if (part === undefined) return undefined;
    const union = unionOf(part)!;
    const rest = parts.map((one) => (one === part ? this.#parts.without(part, union) : one));
    return branchesOf(this.#document, part, union)
      .filter(([branch]) => typesOf(this.of(branch).schema).join() !== 'null')
      .map((schemas) => this.of(...rest, ...schemas));
  }

  #within(whole: Whole, place: string, schemasOf: () => readonly ValueSchema[]): Whole | undefined {
    const known = this.#members.get(whole) ?? new Map<string, Whole | undefined>();
    this.#members.set(whole, known);
    if (!known.has(place)) {
      const schemas = schemasOf();
      known.set(place, schemas.length > 0 ? this.of(...schemas) : undefined);
    }
    return known.get(place);
  }

  /** An example of one part does not meet the whole, but it has an example of each property of that part. */
  #exampleOf(part: ValueSchema, { parts }: Whole, name: string): readonly ValueSchema[] {
    const [given] = this.#isOfWhole(part, parts) ? [] : documentedOf(part);
    const isObject = typeof given === 'object' && given !== null;
    return isObject && Object.hasOwn(given, name) ? [{ examples: [given[name as keyof typeof given]] }] : [];
  }

  #whole(schemas: readonly (ValueSchema | undefined)[]): Whole {
    return this.#known(this.#partsOf(schemas), schemas);
  }

  #partsOf(schemas: readonly (ValueSchema | undefined)[]): readonly ValueSchema[] {
    const parts = new Set<ValueSchema>();
    const open = new Set<unknown>();
    const visit = (schema: unknown): void => {
      if (schema === false) parts.add(NEVER);
      if (typeof schema !== 'object' || schema === null || open.has(schema)) return;
      open.add(schema);
      const { $ref, allOf = [] } = schema as ValueSchema;
      if (isReference(schema)) visit(nodeAt(this.#document, $ref!));
      for (const one of allOf) visit(one);
      const own = this.#parts.own(schema);
      if (Object.keys(own).length > 0) parts.add(own);
      open.delete(schema);
    };
    for (const schema of schemas) visit(schema);
    return [...parts];
  }

  #known(parts: readonly ValueSchema[], schemas: readonly (ValueSchema | undefined)[]): Whole {
    const key = this.#parts.keyOf(parts);
    const known = key === undefined ? undefined : this.#byParts.get(key);
    if (known) return known;
    const said = parts.map((part) => (this.#isOfWhole(part, parts) ? part : withoutExamples(part)));
    const source = schemas.length === 1 ? (schemas[0] ?? {}) : { allOf: parts };
    const whole = { parts, schema: narrowed(said.map(withoutImpliedPattern)), source };
    if (key !== undefined) this.#byParts.set(key, whole);
    return whole;
  }

  /** Whether the examples of a part are examples of the whole: it takes in all parts that have properties. */
  #isOfWhole(part: ValueSchema, parts: readonly ValueSchema[]): boolean {
    if (documentedOf(part).length === 0) return true;
    const others = parts.filter((other) => other !== part && other.properties !== undefined);
    const taken = others.length > 0 ? this.#partsOf([this.#parts.declared(part)]) : [];
    return others.every((other) => taken.includes(other));
  }
}

/** Schemas without their `$ref` and `allOf`, or without a union: the same object each time. */
class Parts {
  readonly #own = new WeakMap<object, ValueSchema>();
  readonly #declared = new WeakMap<object, ValueSchema>();
  readonly #without = new WeakMap<object, ValueSchema>();
  readonly #numbers = new WeakMap<object, number>();
  #count = 0;

  own(schema: ValueSchema): ValueSchema {
    if (schema.$ref === undefined && schema.allOf === undefined) return schema;
    const { $ref: _, allOf: __, ...rest } = schema;
    const own = this.#own.get(schema) ?? rest;
    this.#own.set(schema, own);
    this.#declared.set(own, schema);
    return own;
  }

  /** The schema that a part was taken from. */
  declared(part: ValueSchema): ValueSchema {
    return this.#declared.get(part) ?? part;
  }

  /** Examples of a union are examples of no branch. */
  without(part: ValueSchema, union: Union): ValueSchema {
    const { [union]: _, discriminator: __, ...rest } = part;
    const known = this.#without.get(part) ?? (union === 'if' ? rest : withoutExamples(rest));
    this.#without.set(part, known);
    return known;
  }

  /** Of several parts; one is known by itself. */
  keyOf(parts: readonly ValueSchema[]): string | undefined {
    return parts.length < 2 ? undefined : parts.map((part) => this.#numberOf(part)).join();
  }

  #numberOf(part: ValueSchema): number {
    const number = this.#numbers.get(part) ?? this.#count++;
    this.#numbers.set(part, number);
    return number;
  }
}

/** How many entries of an array are described by their place. */
export const tupleLength = ({ parts }: Whole): number =>
  Math.max(0, ...parts.map(({ prefixItems = [] }) => prefixItems.length));

function unionOf(part: ValueSchema): Union | undefined {
  if (part.oneOf) return 'oneOf';
  if (part.anyOf) return 'anyOf';
  return part.if === undefined ? undefined : 'if';
}

/** Each branch, with the value of the discriminator that chooses it. */
function branchesOf(document: OpenApiDocument, part: ValueSchema, union: Union): readonly (readonly ValueSchema[])[] {
  if (union === 'if') {
    const { if: condition, then: holds = {}, else: fails = {} } = part;
    return [[condition!, holds], [fails]];
  }
  const found = discriminatedUnion(document, part as Readonly<Record<string, unknown>>);
  return (part[union] ?? []).map((branch) => {
    const chosen = found?.branches.find(({ schema }) => (schema as unknown) === branch);
    if (!found || !chosen) return [branch];
    return [branch, { required: [found.property], properties: { [found.property]: { enum: chosen.values } } }];
  });
}

function memberSchemas(part: ValueSchema, name: string): readonly ValueSchema[] {
  const { properties = {}, patternProperties = {}, additionalProperties } = part;
  const matched = Object.entries(patternProperties).filter(([pattern]) => readPattern(pattern)?.test(name));
  const described = [
    ...[Object.hasOwn(properties, name) ? properties[name] : undefined].filter((one) => one !== undefined),
    ...matched.map(([, schema]) => schema),
  ];
  return described.length > 0 || additionalProperties === undefined ? described : [additionalProperties];
}

function withoutExamples({ examples: _, example: __, ...schema }: ValueSchema): ValueSchema {
  return schema;
}

function withoutImpliedPattern(schema: ValueSchema): ValueSchema {
  if (!isImpliedPattern(schema)) return schema;
  const { pattern: _, ...rest } = schema;
  return rest;
}
