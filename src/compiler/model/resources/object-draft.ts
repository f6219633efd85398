import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import { type FlatProperty, isSchemaObject } from '../../json-schema/flat-schema.ts';
import { INT32_BOUNDS } from '../../json-schema/integer-bounds.ts';
import { propertyType } from '../../json-schema/property-type.ts';
import type { ObjectDraft, PropertyDraft, ResourceDraft } from '../draft.ts';
import { flatSchema, schemaNamed } from '../schemas.ts';

/** A schema of `components.schemas`, if it is an object with properties. */
export function objectDraft(document: OpenApiDocument, name: string): ObjectDraft | undefined {
  const node = schemaNamed(document, name);
  return isSchemaObject(node) ? inlineObjectDraft(document, name, node) : undefined;
}

/** An inline schema, if it is an object with properties. */
export function inlineObjectDraft(document: OpenApiDocument, name: string, node: Schema): ObjectDraft | undefined {
  if (!isSchemaObject(node)) return undefined;
  const flat = flatSchema(document, node);
  const type = flat.keywords.get('type')?.value ?? 'object';
  if (type !== 'object' || flat.properties.size === 0) return undefined;
  const properties = new Map(
    [...flat.properties.values()].map((site) => [site.name, propertyDraft(document, site, flat.required)]),
  );
  return { name, node, flat, properties };
}

function propertyDraft(
  document: OpenApiDocument,
  site: FlatProperty,
  required: ReadonlyMap<string, object>,
): PropertyDraft {
  const flat = flatSchema(document, ...site.schemas);
  return { name: site.name, holder: site.holder, flat, type: propertyType(flat), required: required.has(site.name) };
}

/** The single unique properties, then the schema's unique sets, without duplicates. */
export function uniqueSets({ schema }: ResourceDraft): readonly (readonly string[])[] {
  const single = [...schema.properties.values()]
    .filter(({ flat }) => flat.keywords.get('x-unique')?.value === true)
    .map(({ name }) => [name]);
  const declared = schema.flat.keywords.get('x-unique')?.value;
  // What is not a list of names is reported as such.
  const sets = Array.isArray(declared) ? declared.filter((set): set is string[] => Array.isArray(set)) : [];
  return [...new Map([...single, ...sets].map((set) => [set.join(), set])).values()];
}

/** The object with the cursors of a page's neighbours: `BookPage.page`. */
export function pageInfoOf(document: OpenApiDocument, page: ObjectDraft): ObjectDraft | undefined {
  const info = page.properties.get('page');
  return info && inlineObjectDraft(document, `${page.name}.page`, { allOf: info.flat.nodes as Schema[] });
}

/**
 * How far entries are counted by the `maximum` of `totalCount`; undefined where they all are. One that the type of
 * `totalCount` has in GraphQL, or a greater one, bounds nothing.
 */
export function countBoundOf(total: PropertyDraft | undefined): number | undefined {
  const maximum = total?.flat.keywords.get('maximum')?.value;
  return typeof maximum === 'number' && maximum < INT32_BOUNDS.maximum ? maximum : undefined;
}
