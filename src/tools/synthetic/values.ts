import fc from 'fast-check';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import type { Random } from './random.ts';
import { branchesOf, flat, takesNull, typesOf, type ValueSchema } from './schema.ts';

const DAY_MS = 86_400_000;
const MAX_ITEMS = 3;
const MAX_DEPTH = 6;
/** How often an example of the contract is taken where there is one: rows that business rules accept. */
const EXAMPLES = 0.6;
const OPTIONAL = 0.6;

const CHARACTERS = [...'abcdefgh ABCXYZ0123-_.,;:!?\'"\\/<>&%äßé漢🐈'];

/** Makes values that a schema describes. */
export class Values {
  readonly #document: OpenApiDocument;
  readonly #random: Random;

  constructor(document: OpenApiDocument, random: Random) {
    this.#document = document;
    this.#random = random;
  }

  of(given: ValueSchema | undefined, depth = 0): unknown {
    const schema = flat(this.#document, given);
    if ('const' in schema) return schema.const;
    if (schema.enum) return this.#random.pick(schema.enum);
    if (takesNull(this.#document, schema) && this.#random.chance(0.2)) return null;
    if (schema.examples?.length && this.#random.chance(EXAMPLES)) return this.#random.pick(schema.examples);
    const branches = branchesOf(this.#document, schema);
    return branches.length > 0 ? this.of(this.#random.pick(branches), depth + 1) : this.#typed(schema, depth);
  }

  #typed(schema: ValueSchema, depth: number): unknown {
    switch (typesOf(schema).find((type) => type !== 'null')) {
      case 'boolean':
        return this.#random.chance(0.5);
      case 'integer':
        return this.#integer(schema);
      case 'number':
        return this.#integer(schema) + (schema.maximum === undefined ? 0.25 : 0);
      case 'string':
        return this.#text(schema);
      case 'array':
        return this.#array(schema, depth);
      default:
        return this.#object(schema, depth);
    }
  }

  #integer({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: ValueSchema): number {
    const least = minimum ?? (exclusiveMinimum === undefined ? 0 : exclusiveMinimum + 1);
    const most = maximum ?? (exclusiveMaximum === undefined ? least + 1000 : exclusiveMaximum - 1);
    if (this.#random.chance(0.05)) return this.#random.pick([least, most]);
    return least + this.#random.below(Math.min(most - least, 1000) + 1);
  }

  #text(schema: ValueSchema): string {
    const { format, pattern, minLength = 0, maxLength = 50 } = schema;
    if (pattern !== undefined) return this.#matching(schema);
    if (format !== undefined) return this.#formatted(format);
    const length = minLength + this.#random.below(Math.min(maxLength - minLength, 20) + 1);
    return Array.from({ length }, () => this.#random.pick(CHARACTERS)).join('');
  }

  #matching({ pattern, minLength = 0, maxLength = 50 }: ValueSchema): string {
    const isFit = (text: string): boolean => text.length >= minLength && text.length <= maxLength;
    const texts = fc.stringMatching(new RegExp(pattern!)).filter(isFit);
    return fc.sample(texts, { numRuns: 1, seed: this.#random.below(2 ** 31) })[0]!;
  }

  #formatted(format: string): string {
    const digits = String(this.#random.below(1_000_000));
    const date = new Date(Date.UTC(2000, 0, 1) + this.#random.below(9000) * DAY_MS);
    switch (format) {
      case 'uuid':
        return `019bc0de-7c00-7000-9000-${digits.padStart(12, '0')}`;
      case 'date':
        return date.toISOString().slice(0, 10);
      case 'date-time':
        return date.toISOString();
      case 'email':
        return `someone-${digits}@example.com`;
      case 'uri':
        return `https://example.com/${digits}`;
      case 'decimal':
        return this.#random.pick([digits, `${digits}.5`, `-${digits}.25`]);
      default:
        return format === 'int64' ? this.#random.pick([digits, '9223372036854775807', `-${digits}1`]) : digits;
    }
  }

  #array(schema: ValueSchema, depth: number): unknown[] {
    const { minItems = 0, maxItems = MAX_ITEMS, uniqueItems } = schema;
    const length = minItems + this.#random.below(Math.max(Math.min(maxItems, MAX_ITEMS) - minItems, 0) + 1);
    const items = Array.from({ length }, () => this.of(schema.items, depth + 1));
    return uniqueItems ? [...new Map(items.map((item) => [JSON.stringify(item), item])).values()] : items;
  }

  #object({ properties = {}, required = [] }: ValueSchema, depth: number): object {
    const names = Object.keys(properties).filter(
      (name) => required.includes(name) || (depth < MAX_DEPTH && this.#random.chance(OPTIONAL)),
    );
    return Object.fromEntries(names.map((name) => [name, this.of(properties[name], depth + 1)]));
  }
}
