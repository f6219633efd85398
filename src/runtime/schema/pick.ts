import { discriminatedUnion } from '../../descriptor/discriminator.ts';
import type { OpenApiDocument, Schema } from '../../descriptor/document.ts';
import { dereference, isReference } from '../../descriptor/references.ts';
import { ownForeignProperties } from './foreign-properties.ts';
import type { Keywords } from './keywords.ts';
import type { SchemaRegistry } from './schema-registry.ts';

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
    if (isReference(schema) && Object.keys(schema).length === 1) return this.of(dereference(this.#document, schema));
    const shape = this.#shape(schema);
    const items = schema.items === undefined ? undefined : this.of(schema.items as Schema);
    const tuple = ((schema.prefixItems ?? []) as readonly Schema[]).map((item) => this.of(item));
    const [only = asIs, ...more] = shape.others;
    const others = more.length === 0 ? only : asIs;
    const isMap = shape.size > 0 || others !== asIs;
    if (!isMap && !items && tuple.length === 0) return asIs;
    const isOpen = shape.isOpen;
    return (value) => {
      if (Array.isArray(value)) return value.map((item, at) => (tuple[at] ?? items ?? asIs)(item));
      if (typeof value !== 'object' || value === null || !isMap) return value;
      return pickProperties(value as Readonly<Record<string, unknown>>, shape, isOpen, others);
    };
  }

  /** Properties of an object schema, including those of its compositions. */
  #shape(schema: Keywords): Shape {
    const shape = new Shape();
    this.#collect(schema, shape, new Set());
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
    if (additionalProperties || unevaluatedProperties || patternProperties) shape.isOpen = true;
    // Which of several schemas of undeclared properties holds is not known without their names.
    if (typeof additionalProperties === 'object')
      shape.others.push(...(patternProperties ? [asIs, asIs] : [this.of(additionalProperties as Schema)]));
    const parts = [schema.allOf, schema.anyOf, schema.oneOf, schema.then, schema.else].flat() as (Schema | undefined)[];
    if (isReference(schema)) parts.push(dereference(this.#document, schema));
    for (const part of parts) if (part !== undefined) this.#collect(part, shape, seen);
  }

  /** Chooses a branch by the discriminator; without one, the first branch that the value matches. */
  #union(schema: Keywords, branches: readonly Schema[]): Picker {
    const discriminated = discriminatedUnion(this.#document, schema);
    if (discriminated) return this.#discriminated(discriminated);
    const candidates = branches.map((branch) => ({ pick: this.of(branch), check: this.#schemas.output(branch) }));
    if (candidates.every(({ pick }) => pick === asIs)) return asIs;
    return (value) => {
      if (typeof value !== 'object' || value === null) return value;
      const picked = candidates.map(({ pick, check }) => ({ value: pick(value), check }));
      return (picked.find((candidate) => candidate.check(candidate.value) === undefined) ?? picked[0]!).value;
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
  /** Whether the schema allows undeclared properties. */
  isOpen = false;
  /** Of undeclared properties. */
  readonly others: Picker[] = [];
}

function pickProperties(
  value: Readonly<Record<string, unknown>>,
  shape: Shape,
  isOpen: boolean,
  others: Picker,
): object {
  const picked: Record<string, unknown> = {};
  for (const [name, pick] of shape) {
    const child = value[name];
    if (child !== undefined && Object.hasOwn(value, name)) picked[name] = pick(child);
  }
  if (!isOpen) return picked;
  for (const [name, child] of Object.entries(value))
    if (!shape.has(name) && !shape.hidden.has(name)) picked[name] = others(child);
  return picked;
}
