import { defaultOf } from '../../descriptor/default-of.ts';
import { type Discriminated, discriminatedUnion } from '../../descriptor/discriminator.ts';
import type { OpenApiDocument, Schema } from '../../descriptor/document.ts';
import { isImpliedPattern } from '../../descriptor/implied-patterns.ts';
import { isNullSchema } from '../../descriptor/null-union.ts';
import { readPattern } from '../../descriptor/read-pattern.ts';
import { nodeAt } from '../../descriptor/references.ts';
import { isComposed, isPassThrough, namesProperties } from './composition.ts';
import { type Direction, foreignProperties, ownForeignProperties } from './foreign-properties.ts';
import { isAnnotation, type Keywords, PARTS, SAME_INSTANCE, SCHEMA_MAPS } from './keywords.ts';

/**
 * What rejects unknown properties: the schema itself (`closed`), the composition that contains it (`open`), or nothing at
 * any depth (`verbatim`: inside `not` and `if`, where closing would change the meaning).
 */
type Extent = 'closed' | 'open' | 'verbatim';

/** Registers a schema that is the target of references, with an id of its own. */
export type Register = (id: string, schema: Schema) => void;

/**
 * Translates the schemas of a document to JSON Schemas for one direction: they reject properties of the other direction,
 * close objects unless declared otherwise, obey discriminators, and limit integers to safe ones. References are kept.
 */
export class DirectedSchemas {
  readonly #document: OpenApiDocument;
  readonly #direction: Direction;
  readonly #register: Register;
  readonly #ids = new Map<string, string>();

  constructor(document: OpenApiDocument, direction: Direction, register: Register) {
    this.#document = document;
    this.#direction = direction;
    this.#register = register;
  }

  of(schema: Schema): Schema {
    return this.#translate(schema, 'closed');
  }

  #translate(schema: Schema, extent: Extent, foreign: ReadonlySet<string> = new Set()): Schema {
    if (typeof schema === 'boolean') return schema;
    const union = extent === 'verbatim' ? undefined : this.#union(schema, extent);
    return union ?? this.#keywords(schema, extent, foreign);
  }

  #keywords(schema: Keywords, extent: Extent, inherited: ReadonlySet<string>): Schema {
    const isVerbatim = extent === 'verbatim';
    const foreign = isVerbatim ? inherited : new Set([...inherited, ...this.#foreign(schema)]);
    const branchExtent = extent === 'closed' && !isPassThrough(schema) ? 'open' : extent;
    const result: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === '$ref') result.$ref = this.#target(value as string, branchExtent);
      else if (keyword === 'required') result.required = (value as string[]).filter((name) => !foreign.has(name));
      else if (keyword === 'patternProperties')
        result[keyword] = this.#named(value as Readonly<Record<string, Schema>>, isVerbatim ? extent : 'closed');
      else if (keyword === 'not' || keyword === 'if') result[keyword] = this.#translate(value as Schema, 'verbatim');
      else if (SAME_INSTANCE.has(keyword))
        result[keyword] = each(keyword, value, (branch) => this.#translate(branch, branchExtent, foreign));
      else if (PARTS.has(keyword))
        result[keyword] = each(keyword, value, (part) => this.#translate(part, isVerbatim ? extent : 'closed'));
      else if (!isAnnotation(keyword)) result[keyword] = value;
    }
    // What is refused in any case is refused with better words than a pattern has.
    if (isImpliedPattern(result)) delete result.pattern;
    boundIntegers(result);
    if (!isVerbatim) declareRequired(result);
    if (!isVerbatim && this.#direction === 'input') this.#defaultProperties(schema, result);
    if (!isVerbatim) this.#refuseForeign(schema, result);
    if (extent === 'closed') this.#close(schema, result);
    return result;
  }

  /** A pattern that cannot be read may be that of any name. */
  #named(schemas: Readonly<Record<string, Schema>>, extent: Extent): Readonly<Record<string, Schema>> {
    return Object.fromEntries(
      Object.entries(schemas).map(([pattern, schema]) =>
        readPattern(pattern) ? [pattern, this.#translate(schema, extent)] : ['', true],
      ),
    );
  }

  /** Translates unions with a discriminator, and `S or null`, to conditions: then only one branch has faults. */
  #union(schema: Keywords, extent: Extent): Schema | undefined {
    const { oneOf, anyOf, discriminator: _, type: __, ...rest } = schema;
    const branches = (oneOf ?? anyOf) as readonly Schema[] | undefined;
    if (!Array.isArray(branches) || !Object.keys(rest).every(isAnnotation)) return undefined;
    const isNullable = branches.some(isNullSchema);
    const others = branches.filter((branch) => !isNullSchema(branch));
    const discriminated = discriminatedUnion(this.#document, schema);
    if (!discriminated && !(isNullable && others.length === 1)) return undefined;
    const chosen = discriminated ? this.#discriminated(discriminated, extent) : this.#translate(others[0]!, extent);
    return isNullable ? { if: { type: 'null' }, else: chosen } : chosen;
  }

  #discriminated({ property, branches, rest }: Discriminated, extent: Extent): Schema {
    const one = (values: readonly unknown[]) => ({
      type: 'object',
      required: [property],
      properties: { [property]: { enum: values } },
    });
    const named = one(branches.flatMap(({ values }) => values));
    const allOf = branches.map(({ schema, values }) => ({
      if: one(values),
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      then: this.#translate(schema, extent),
    }));
    return { ...(rest === undefined ? named : { if: named, else: this.#translate(rest, extent) }), allOf };
  }

  #target(reference: string, extent: Extent): string {
    const key = `${extent} ${reference}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = `schema:/${this.#direction}/${this.#ids.size}`;
    this.#ids.set(key, id);
    this.#register(id, this.#translate(nodeAt(this.#document, reference) as Schema, extent));
    return id;
  }

  #foreign(schema: Keywords): Set<string> {
    return foreignProperties(this.#document, this.#direction, schema);
  }

  /** Validators set the defaults that stand right in `properties`, and none behind a reference. */
  #defaultProperties(schema: Keywords, result: Record<string, unknown>): void {
    const properties = result.properties as Record<string, Schema> | undefined;
    for (const [name, property] of Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>)) {
      const value = defaultOf(this.#document, property);
      const translated = properties?.[name];
      if (value !== undefined && typeof translated === 'object') properties![name] = { ...translated, default: value };
    }
  }

  #refuseForeign(schema: Keywords, result: Record<string, unknown>): void {
    const properties = result.properties as Record<string, Schema> | undefined;
    for (const name of ownForeignProperties(this.#document, this.#direction, schema)) properties![name] = false;
  }

  #close(schema: Keywords, result: Record<string, unknown>): void {
    if ('additionalProperties' in schema || 'unevaluatedProperties' in schema || isPassThrough(schema)) return;
    if (!namesProperties(this.#document, schema)) return;
    result[isComposed(schema) ? 'unevaluatedProperties' : 'additionalProperties'] = false;
  }
}

function each(keyword: string, value: unknown, translate: (schema: Schema) => Schema): unknown {
  if (Array.isArray(value)) return value.map(translate);
  if (!SCHEMA_MAPS.has(keyword)) return translate(value as Schema);
  const entries = Object.entries(value as Record<string, Schema>);
  return Object.fromEntries(entries.map(([name, schema]) => [name, translate(schema)]));
}

/** What must be there may be there: ordinary documents require properties that no schema describes. */
function declareRequired(result: Record<string, unknown>): void {
  if (typeof result.additionalProperties === 'object') return;
  const declared = (result.properties ?? {}) as Readonly<Record<string, Schema>>;
  const missing = ((result.required ?? []) as readonly string[]).filter((name) => !Object.hasOwn(declared, name));
  if (missing.length === 0) return;
  result.properties = { ...Object.fromEntries(missing.map((name) => [name, true])), ...declared };
}

/** Limits integers to safe ones, because JSON.parse rounds those beyond 2^53 - 1, and `int32` to its range. */
function boundIntegers(schema: Record<string, unknown>): void {
  const types = [schema.type].flat();
  if (!types.includes('integer') || types.includes('number')) return;
  const isInt32 = schema.format === 'int32';
  const least = isInt32 ? -(2 ** 31) : Number.MIN_SAFE_INTEGER;
  const most = isInt32 ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER;
  schema.minimum = Math.max(least, typeof schema.minimum === 'number' ? schema.minimum : least);
  schema.maximum = Math.min(most, typeof schema.maximum === 'number' ? schema.maximum : most);
}
