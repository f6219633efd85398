import type { OpenApiDocument, Schema } from '../../descriptor/document.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import { accessSentences } from '../../descriptor/row-access-words.ts';

/** The document with what the rules of row access say, in words, in the descriptions of the schemas of resources. */
export function withAccessWords(document: OpenApiDocument, resources: readonly ResourceDescriptor[]): OpenApiDocument {
  const ruled = resources.filter(({ rowAccess }) => rowAccess);
  if (ruled.length === 0) return document;
  const described = ruled.map(({ schemas: { resource: name }, rowAccess }) => {
    const schema = document.components?.schemas?.[name] as Exclude<Schema, boolean>;
    const own = schema['description'] === undefined ? [] : [String(schema['description'])];
    return [
      name,
      { ...schema, description: [...own, ...accessSentences(rowAccess!, resources)].join('\n\n') },
    ] as const;
  });
  const schemas = { ...document.components?.schemas, ...Object.fromEntries(described) };
  return { ...document, components: { ...document.components, schemas } };
}
