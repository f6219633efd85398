import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import { accessSentences, fieldSentences } from '../../../descriptor/row-access-words.ts';
import { withSentences } from '../../../descriptor/with-sentences.ts';

type SchemaObject = Exclude<Schema, boolean>;
type Sentences = ReadonlyMap<string, readonly string[]>;

/**
 * The document with what the rules of access say, in words, in the descriptions of the schemas of resources and of their
 * properties.
 */
export function withAccessWords(document: OpenApiDocument, resources: readonly ResourceDescriptor[]): OpenApiDocument {
  const described = resources.flatMap((resource) => {
    const { schemas: names, rowAccess = {}, properties } = resource;
    const fields: Sentences = new Map(
      properties.flatMap(({ name, access }) => (access ? [[name, fieldSentences(access, resources)] as const] : [])),
    );
    const rows = accessSentences(rowAccess, resources);
    if (fields.size === 0 && rows.length === 0) return [];
    const schema = document.components?.schemas?.[names.resource] as SchemaObject;
    return [[names.resource, withWords(schema, rows, fields)] as const];
  });
  if (described.length === 0) return document;
  const schemas = { ...document.components?.schemas, ...Object.fromEntries(described) };
  return { ...document, components: { ...document.components, schemas } };
}

/** What is said of properties that the schema has from others stands in its own description. */
function withWords(schema: SchemaObject, rows: readonly string[], fields: Sentences): SchemaObject {
  const own = withProperties(schema, fields);
  const branches = (schema['allOf'] as readonly Schema[] | undefined)?.map((branch) =>
    typeof branch === 'object' ? withProperties(branch, fields) : branch,
  );
  const found = new Set([schema, ...((schema['allOf'] as readonly Schema[] | undefined) ?? [])].flatMap(namesIn));
  const elsewhere = [...fields].flatMap(([name, sentences]) =>
    found.has(name) ? [] : [`\`${name}\`: ${sentences.join(' ')}`],
  );
  return { ...own, ...(branches && { allOf: branches }), ...descriptionOf(schema, [...rows, ...elsewhere]) };
}

const namesIn = (schema: Schema): readonly string[] =>
  typeof schema === 'object' ? Object.keys((schema['properties'] as object | undefined) ?? {}) : [];

function withProperties(schema: SchemaObject, fields: Sentences): SchemaObject {
  const properties = schema['properties'] as Readonly<Record<string, Schema>> | undefined;
  if (!properties || !Object.keys(properties).some((name) => fields.has(name))) return schema;
  const described = Object.entries(properties).map(([name, property]) => {
    const sentences = fields.get(name);
    return [name, sentences && typeof property === 'object' ? withDescription(property, sentences) : property];
  });
  return { ...schema, properties: Object.fromEntries(described) };
}

const withDescription = (schema: SchemaObject, sentences: readonly string[]): SchemaObject => ({
  ...schema,
  ...descriptionOf(schema, sentences),
});

function descriptionOf(schema: SchemaObject, sentences: readonly string[]): { readonly description?: string } {
  const own = schema['description'];
  const description = withSentences(own === undefined ? undefined : String(own), sentences);
  return description === undefined ? {} : { description };
}
