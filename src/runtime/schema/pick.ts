import { discriminatedUnion } from '../../descriptor/discriminator.ts';
import type { OpenApiDocument, Schema } from '../../descriptor/document.ts';
import { readPattern } from '../../descriptor/read-pattern.ts';
import { dereference, isReference } from '../../descriptor/references.ts';
import { ownForeignProperties } from './foreign-properties.ts';
import type { Keywords } from './keywords.ts';
import type { SchemaRegistry, Validate } from './schema-registry.ts';

/** Copies the parts of a value that a schema declares. */
export type Picker = (value: unknown) => unknown;

const asIs: Picker = (value) => value;

/** Pickers for responses: undeclared and write-only properties are never sent. */
export class Pickers {
  readonly #document: OpenApiDocument;
  readonly #schemas: SchemaRegistry;
  readonly #known = new Map<Schema, Picker>();

  constructor(document: OpenApiDocument, schemas: SchemaRegistry) {
    this.#document = document;
    this.#schemas = schemas;
  }

  of(schema: Schema): Picker {
    if (typeof schema === 'boolean') return asIs;
    const known = this.#known.get(schema);
    if (known) return known;
    let picker: Picker | undefined;
    this.#known.set(schema, (value) => (picker ?? asIs)(value));
    picker = this.#compile(schema);
    this.#known.set(schema, picker);
    return picker;
  }

  #compile(schema: Keywords): Picker {
    const branches = (schema.oneOf ?? schema.anyOf) as readonly Schema[] | undefined;
    if (branches && !schema.properties && !schema.allOf) return this.#union(schema, branches);
    return branches ? this.#composed(schema, branches) : this.#declared(schema);
  }

  /** Properties of all branches; if these do not fit together, those of the first branch that the value matches. */
  #composed(schema: Keywords, branches: readonly Schema[]): Picker {
    const { oneOf: _, anyOf: __, ...rest } = schema;
    const all = (rest.allOf ?? []) as readonly Schema[];
    const candidates = [schema, ...branches.map((branch) => ({ ...rest, allOf: [...all, branch] }))];
    const check = this.#schemas.output(schema);
    return this.#fitting(candidates.map((one) => ({ pick: this.#declared(one), check })));
  }

  #declared(schema: Keywords): Picker {
    if (isReference(schema) && Object.keys(schema).length === 1) return this.of(dereference(this.#document, schema));
    const shape = this.#shape(schema);
    const items = schema.items === undefined ? undefined : this.of(schema.items as Schema);
    const tuple = ((schema.prefixItems ?? []) as readonly Schema[]).map((item) => this.of(item));
    const [only = asIs, ...more] = shape.others;
    const others = more.length === 0 ? only : asIs;
    const isMap = shape.isClosed || others !== asIs;
    if (!isMap && !items && tuple.length === 0) return asIs;
    return (value) => {
      if (Array.isArray(value)) return value.map((item, at) => (tuple[at] ?? items ?? asIs)(item));
      if (typeof value !== 'object' || value === null || !isMap) return value;
      return pickProperties(value as Readonly<Record<string, unknown>>, shape, others);
    };
  }

  /** Properties of an object schema, including those of its compositions. */
  #shape(schema: Keywords): Shape {
    const shape = new Shape();
    this.#collect(schema, shape, new Set());
    if (shape.size + shape.hidden.size + shape.patterns.length > 0) shape.isClosed = true;
    if (!shape.isClosed) shape.isOpen = true;
    for (const name of shape.required) if (!shape.has(name) && !shape.hidden.has(name)) shape.set(name, asIs);
    return shape;
  }

  #collect(schema: Schema, shape: Shape, seen: Set<Schema>): void {
    if (typeof schema === 'boolean' || seen.has(schema)) return;
    seen.add(schema);
    const foreign = new Set(ownForeignProperties(this.#document, 'output', schema));
    for (const [name, property] of Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>)) {
      if (foreign.has(name)) shape.hidden.add(name);
      else shape.set(name, this.of(property));
    }
    for (const name of (schema.required ?? []) as readonly string[]) shape.required.add(name);
    const { additionalProperties, unevaluatedProperties, patternProperties } = schema;
    for (const others of [additionalProperties, unevaluatedProperties] as (Schema | undefined)[]) {
      if (others === false) shape.isClosed = true;
      else if (others !== undefined) shape.isOpen = true;
      if (typeof others === 'object') shape.others.push(this.of(others));
    }
    for (const [pattern, property] of Object.entries((patternProperties ?? {}) as Readonly<Record<string, Schema>>)) {
      const expression = readPattern(pattern);
      if (expression) shape.patterns.push([expression, this.of(property)]);
      else shape.isOpen = true;
    }
    const parts = [
      schema.allOf,
      schema.anyOf,
      schema.oneOf,
      schema.then,
      schema.else,
      Object.values(schema.dependentSchemas ?? {}),
    ].flat() as (Schema | undefined)[];
    if (isReference(schema)) parts.push(dereference(this.#document, schema));
    for (const part of parts) if (part !== undefined) this.#collect(part, shape, seen);
  }

  /** Chooses a branch by the discriminator; without one, the first branch that the value matches. */
  #union(schema: Keywords, branches: readonly Schema[]): Picker {
    const discriminated = discriminatedUnion(this.#document, schema);
    if (discriminated) return this.#discriminated(discriminated);
    const candidates = branches.map((branch) => ({ pick: this.of(branch), check: this.#schemas.output(branch) }));
    return this.#fitting(candidates);
  }

  /** The first that is valid once it has been picked. */
  #fitting(candidates: readonly { readonly pick: Picker; readonly check: Validate }[]): Picker {
    if (candidates.every(({ pick }) => pick === asIs)) return asIs;
    return (value) => {
      if (typeof value !== 'object' || value === null) return value;
      for (const { pick, check } of candidates) {
        const picked = pick(value);
        if (check(picked) === undefined) return picked;
      }
      return candidates[0]!.pick(value);
    };
  }

  #discriminated({ property, branches, rest }: NonNullable<ReturnType<typeof discriminatedUnion>>): Picker {
    const byValue = new Map(branches.flatMap(({ schema, values }) => values.map((value) => [value, this.of(schema)])));
    const others: Picker = rest === undefined ? () => ({}) : this.of(rest);
    return (value) => {
      if (typeof value !== 'object' || value === null) return value;
      const pick = byValue.get((value as Readonly<Record<string, unknown>>)[property]);
      return (pick ?? others)(value);
    };
  }
}

/** Pickers by property name. */
class Shape extends Map<string, Picker> {
  /** Write-only properties. */
  readonly hidden = new Set<string>();
  /** Required names; they are answered even where no schema describes them. */
  readonly required = new Set<string>();
  /** Of properties whose names match. */
  readonly patterns: (readonly [RegExp, Picker])[] = [];
  /** Whether the schema allows undeclared properties. */
  isOpen = false;
  /** Whether the schema declares properties, or refuses others. */
  isClosed = false;
  /** Of undeclared properties. */
  readonly others: Picker[] = [];
}

function pickProperties(value: Readonly<Record<string, unknown>>, shape: Shape, others: Picker): object {
  const picked: Record<string, unknown> = {};
  for (const [name, pick] of shape) {
    const child = value[name];
    if (child !== undefined && Object.hasOwn(value, name)) picked[name] = pick(child);
  }
  if (!shape.isOpen && shape.patterns.length === 0) return picked;
  for (const [name, child] of Object.entries(value)) {
    if (shape.hidden.has(name)) continue;
    const matching = shape.patterns.filter(([pattern]) => pattern.test(name));
    for (const [, pick] of matching) picked[name] = pick(Object.hasOwn(picked, name) ? picked[name] : child);
    if (shape.isOpen && matching.length === 0 && !shape.has(name)) picked[name] = others(child);
  }
  return picked;
}
