import { flat, type ValueSchema } from '../../../compiler/json-schema/index.ts';
import { upperFirst } from '../../../compiler/model/index.ts';
import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import { link } from '../layout/links.ts';
import { code, inline, items, lines, table } from '../layout/markdown.ts';
import type { Places } from './places.ts';

type Described = ValueSchema & {
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly additionalProperties?: ValueSchema | boolean;
  readonly prefixItems?: readonly ValueSchema[];
};

/** Says in Markdown what schemas (JSON Schema 2020-12) allow; each that has a name is a link to its page. */
export class SchemaWords {
  readonly #document: OpenApiDocument;
  readonly #places: Places;

  constructor(document: OpenApiDocument, places: Places) {
    this.#document = document;
    this.#places = places;
  }

  /** The type of a value: `string (uuid)`, `list of [Order]`. */
  type(given: Schema | ValueSchema | undefined): string {
    if (typeof given !== 'object') return 'any';
    const schema = given as Described;
    if (schema.$ref !== undefined) return this.#named(schema);
    const [only, ...more] = schema.allOf ?? [];
    if (only && more.length === 0 && schema.properties === undefined) return this.type(only);
    const either = schema.oneOf ?? schema.anyOf;
    if (either) return either.map((one) => this.type(one)).join(' or ');
    if (schema.const !== undefined) return code(JSON.stringify(schema.const));
    if (schema.prefixItems) return `list of ${schema.prefixItems.map((one) => this.type(one)).join(', then ')}`;
    if (schema.items !== undefined || schema.type === 'array') return `list of ${this.type(schema.items)}`;
    if (typeof schema.additionalProperties === 'object' && !schema.properties)
      return `map of ${this.type(schema.additionalProperties)}`;
    const names = [schema.type ?? (schema.enum ? 'string' : schema.properties ? 'object' : 'any')].flat();
    return names.join(' or ') + (schema.format === undefined ? '' : ` (${schema.format})`);
  }

  /** A schema with a name is a link; what lies inside another has none. */
  #named(schema: Described): string {
    const [, name] = /^#\/components\/schemas\/([^/]+)$/.exec(schema.$ref ?? '') ?? [];
    const whole = flat(this.#document, schema) as Described;
    if (name === undefined) return this.type(whole);
    const path = this.#places.typeNamed(decodeURIComponent(name));
    const shown = path === undefined ? code(decodeURIComponent(name)) : link(code(decodeURIComponent(name)), path);
    return isNullable(whole) ? `${shown} or null` : shown;
  }

  /** What a value may be beside its type: `1 to 80 characters`, `at least 0`. */
  bounds(given: Schema | ValueSchema | undefined): readonly string[] {
    const schema = flat(this.#document, given as ValueSchema);
    const each = schema.items ? this.bounds(schema.items) : [];
    const { minLength, maxLength, minItems, maxItems, minProperties, maxProperties, pattern, multipleOf } = schema;
    return [
      ...(schema.enum ? [schema.enum.map((value) => code(textOf(value))).join(', ')] : []),
      ...between(minLength, maxLength, 'characters'),
      ...between(minItems, maxItems, 'entries'),
      ...between(minProperties, maxProperties, 'members'),
      ...between(schema.minimum, schema.maximum, ''),
      ...(schema.exclusiveMinimum === undefined ? [] : [`more than ${schema.exclusiveMinimum}`]),
      ...(schema.exclusiveMaximum === undefined ? [] : [`less than ${schema.exclusiveMaximum}`]),
      ...(multipleOf === undefined ? [] : [`a multiple of ${multipleOf}`]),
      ...(schema.uniqueItems ? ['no entry twice'] : []),
      ...(pattern === undefined ? [] : [`pattern ${code(pattern)}`]),
      ...(each.length > 0 ? [`each ${each.join(', ')}`] : []),
      ...(schema.default === undefined ? [] : [`default ${code(textOf(schema.default))}`]),
    ];
  }

  /**
   * The properties of an object, those of objects without a name among them; `more` adds rules that only some readers need.
   */
  properties(given: Schema | ValueSchema, more: (name: string) => readonly string[] = () => []): string {
    return table(['Property', 'Type', 'Rules', 'Meaning'], this.#rows(given, '', more));
  }

  #rows(given: Schema | ValueSchema, prefix: string, more: (name: string) => readonly string[]): string[][] {
    const { properties = {}, required = [] } = flat(this.#document, given as ValueSchema);
    return Object.entries(properties).flatMap(([name, schema]) => {
      const { readOnly, writeOnly } = flat(this.#document, schema);
      const rules = [
        ...(required.includes(name) ? ['required'] : []),
        ...(readOnly ? ['set by the server'] : []),
        ...(writeOnly ? ['never shown'] : []),
        ...this.bounds(schema),
        ...more(name),
      ];
      const own = [code(prefix + name), this.type(schema), rules.join('; '), inline(this.#about(schema))];
      const inside = schema.$ref === undefined && schema.properties ? schema : undefined;
      const entry = schema.$ref === undefined && schema.items?.$ref === undefined ? schema.items : undefined;
      return [
        own,
        ...(inside ? this.#rows(inside, `${prefix}${name}.`, () => []) : []),
        ...(entry?.properties ? this.#rows(entry, `${prefix}${name}[].`, () => []) : []),
      ];
    });
  }

  #about(schema: ValueSchema): string {
    const { description = '', deprecated } = flat(this.#document, schema) as Described;
    return `${deprecated ? '**Deprecated.** ' : ''}${description}`;
  }

  /** All that a schema says: its properties, its variants, or its bounds. */
  whole(given: Schema | ValueSchema, more?: (name: string) => readonly string[]): string {
    const schema = flat(this.#document, given as ValueSchema) as Described;
    const variants = schema.oneOf ?? schema.anyOf;
    if (variants) {
      const by = schema.discriminator ? `, by ${code(schema.discriminator.propertyName)}` : '';
      return lines(`One of these${by}:`, items(variants.map((one) => this.type(one))));
    }
    if (schema.properties) return this.properties(given, more);
    return lines(`${upperFirst(this.type(schema))}.`, items(this.bounds(schema).map(upperFirst)));
  }
}

const isNullable = ({ type, enum: values, oneOf, anyOf }: Described): boolean =>
  [type].flat().includes('null') ||
  values?.includes(null) === true ||
  [...(oneOf ?? []), ...(anyOf ?? [])].some((one) => one.type === 'null');

const textOf = (value: unknown): string => (typeof value === 'string' && value !== '' ? value : JSON.stringify(value));

function between(least: number | undefined, most: number | undefined, unit: string): readonly string[] {
  const of = unit === '' ? '' : ` ${unit}`;
  if (least !== undefined && most !== undefined) return [least === most ? `${least}${of}` : `${least} to ${most}${of}`];
  if (least !== undefined) return least === 0 && unit !== '' ? [] : [`at least ${least}${of}`];
  return most === undefined ? [] : [`at most ${most}${of}`];
}
