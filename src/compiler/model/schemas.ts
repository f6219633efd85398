import type { OpenApiDocument, Schema } from '../../descriptor/document.ts';
import { ownMember } from '../../descriptor/look-up.ts';
import { type FlatSchema, flattenSchema } from '../json-schema/flat-schema.ts';

/** Schemas of one document beside each other, and what they are laid over each other. */
class Laid {
  flat?: FlatSchema;
  readonly #longer = new Map<Schema, Laid>();

  /** These and one more. */
  with(schema: Schema): Laid {
    const known = this.#longer.get(schema);
    if (known) return known;
    const laid = new Laid();
    this.#longer.set(schema, laid);
    return laid;
  }
}

/**
 * By document, since almost every function of the compiler has it at hand, and none changes it: one that is completed, renamed or
 * edited is another.
 */
const LAID = new WeakMap<OpenApiDocument, Laid>();

/** Schemas that all apply to one value, laid over each other once, however many ask. */
export function flatSchema(document: OpenApiDocument, ...schemas: readonly Schema[]): FlatSchema {
  const none = LAID.get(document) ?? new Laid();
  LAID.set(document, none);
  const laid = schemas.reduce((some, schema) => some.with(schema), none);
  laid.flat ??= flattenSchema(document, ...schemas);
  return laid.flat;
}

/** The schema of a list's entries; undefined where it has none. */
export const itemsOf = ({ keywords }: FlatSchema): Schema | undefined =>
  keywords.get('items')?.value as Schema | undefined;

/** Schemas of a value, laid over each other; of a list, those of its entries. */
export function behindLists(document: OpenApiDocument, schemas: readonly Schema[]): FlatSchema {
  const flat = flatSchema(document, ...schemas);
  const items = itemsOf(flat);
  return items === undefined ? flat : behindLists(document, [items]);
}

/** Whether null is among the values of a schema, which may name no type: any value, or one of several alternatives. */
export function acceptsNull(
  document: OpenApiDocument,
  schemas: readonly Schema[],
  met: readonly unknown[] = [],
): boolean {
  const flat = flatSchema(document, ...schemas);
  const { keywords, properties, nullable } = flat;
  if (nullable || keywords.has('type') || properties.size > 0 || met.includes(flat)) return nullable;
  const given = (keyword: string): unknown => keywords.get(keyword)?.value;
  if (keywords.has('const')) return given('const') === null;
  const values = given('enum');
  if (Array.isArray(values)) return values.includes(null);
  const branches = given('oneOf') ?? given('anyOf');
  if (!Array.isArray(branches)) return schemas.length > 0 && !schemas.includes(false);
  return branches.some((branch) => acceptsNull(document, [branch as Schema], [...met, flat]));
}

/** The schemas of a document that have names. */
export const namedSchemas = ({ components }: OpenApiDocument): Readonly<Record<string, Schema>> =>
  components?.schemas ?? {};

/** The schema of a name; undefined for the members that every object has. */
export const schemaNamed = (document: OpenApiDocument, name: string): Schema | undefined =>
  ownMember(namedSchemas(document), name);

/** The schema of a name, laid over those that it refers to; one without keywords if nothing has the name. */
export const flatNamed = (document: OpenApiDocument, name: string): FlatSchema =>
  flatSchema(document, schemaNamed(document, name) ?? true);
