import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import { type FlatProperty, isSchemaObject } from '../../json-schema/flat-schema.ts';
import { propertyType } from '../../json-schema/property-type.ts';
import type { ObjectDraft, PropertyDraft } from '../draft.ts';
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
