import type { Schema } from '../../../descriptor/document.ts';
import type { IncludeDescriptor, ResourceDescriptor } from '../../../descriptor/resource.ts';
import { schemaReference } from '../../json-schema/references.ts';
import type { ResourceDraft } from '../../model/draft.ts';
import { jsonContent } from '../../model/responses.ts';

/** By the name of a schema, the properties that it has for what may be included. */
export type IncludedSchemas = Readonly<Record<string, Readonly<Record<string, Schema>>>>;

export function includedSchemas(
  drafts: readonly ResourceDraft[],
  resources: readonly ResourceDescriptor[],
): IncludedSchemas {
  const included = resources.flatMap(({ name, includes }) => {
    const own = Object.entries(includes ?? {}).map(([key, include]) => [key, schemaOf(drafts, key, include)]);
    return own.length === 0 ? [] : [[name, Object.fromEntries(own)]];
  });
  return Object.fromEntries(included);
}

/** A schema with these properties beside its own. */
export function withProperties(schema: Schema | undefined, added: Readonly<Record<string, Schema>>): Schema {
  const { properties, ...others } = Object(schema) as { readonly properties?: object };
  return { ...others, properties: { ...properties, ...added } };
}

function schemaOf(drafts: readonly ResourceDraft[], own: string, { kind, resource }: IncludeDescriptor): Schema {
  const target = drafts.find(({ key }) => key === resource);
  const description = `With \`include=${own}\`.`;
  const readOnly = true;
  if (kind === 'one') return { description, readOnly, oneOf: [schemaReference(target?.name ?? ''), { type: 'null' }] };
  const page = jsonContent(target?.operations.list?.responses.get('200'))?.schema;
  return { description, readOnly, allOf: [page ?? true] };
}
