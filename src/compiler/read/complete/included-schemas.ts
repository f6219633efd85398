import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import type { IncludeDescriptor, ResourceDescriptor } from '../../../descriptor/resource.ts';
import { schemaReference } from '../../json-schema/references.ts';
import type { ResourceDraft } from '../../model/draft.ts';
import { jsonContent } from '../../model/responses.ts';

/** The document, whose schemas of resources have what may be included beside their properties. */
export function withIncludedSchemas(
  document: OpenApiDocument,
  drafts: readonly ResourceDraft[],
  resources: readonly ResourceDescriptor[],
): OpenApiDocument {
  const including = resources.filter(({ includes }) => includes !== undefined);
  if (including.length === 0) return document;
  const schemas = { ...document.components?.schemas };
  for (const { name, includes = {} } of including) {
    const schema = Object(schemas[name]) as { readonly properties?: object };
    const added = Object.entries(includes).map(([own, include]) => [own, schemaOf(drafts, own, include)]);
    schemas[name] = { ...schema, properties: { ...schema.properties, ...Object.fromEntries(added) } };
  }
  return { ...document, components: { ...document.components, schemas } };
}

function schemaOf(drafts: readonly ResourceDraft[], own: string, { kind, resource }: IncludeDescriptor): Schema {
  const target = drafts.find(({ key }) => key === resource);
  const description = `With \`include=${own}\`.`;
  const readOnly = true;
  if (kind === 'one') return { description, readOnly, oneOf: [schemaReference(target?.name ?? ''), { type: 'null' }] };
  const page = jsonContent(target?.operations.list?.responses.get('200'))?.schema;
  return { description, readOnly, allOf: [page ?? true] };
}
