import type { OpenAPI3 } from 'openapi-typescript';
import { discriminatedUnion } from '../../descriptor/discriminator.ts';
import { HTTP_METHODS, type OpenApiDocument } from '../../descriptor/document.ts';
import { KEEP_NOTHING, kept } from '../../descriptor/keep.ts';
import { isReference, schemaNameOf } from '../../descriptor/references.ts';
import { asNode, isNode, type Node, nodesBelow } from '../read/grammar.ts';
import { HEADER } from './print.ts';
import { sealedDocument } from './sealed-document.ts';
import { typeContents } from './type-contents.ts';

/** `types/openapi.ts`: a document's schemas and operations as TypeScript (openapi-typescript). Throws `TypesFault`. */
export async function openapiTypes(document: OpenApiDocument, keep = KEEP_NOTHING): Promise<string> {
  const sealed = sealedDocument(document);
  typedSchemas(sealed);
  inlineScalars(sealed);
  typeContents(sealed);
  const aliases = aliasOperations(sealed);
  let types = await kept(keep, 'types', [JSON.stringify(sealed)], async () => {
    const { typesOf } = await import('./types-of.ts');
    return typesOf(sealed as unknown as OpenAPI3, keep);
  });
  for (const [alias, operationId] of aliases)
    types = types.replaceAll(JSON.stringify(alias), JSON.stringify(operationId));
  return `${HEADER}\n${types.replace(WITH_REQUIRED, WITH_REQUIRED_OR_NULL).replace(VIEWS, VIEWS_WITH_BYTES)}`;
}

/** openapi-typescript's own does not take a schema that may be null: none of its keys is known. */
const WITH_REQUIRED = /^type WithRequired<T, K extends keyof T> = T & \{\s*\[P in K\]-\?: T\[P\];?\s*\};$/m;
const WITH_REQUIRED_OR_NULL = `type WithRequired<T, K extends PropertyKey> = T extends null | undefined ? T : T & {
    [P in K & keyof T]-?: T[P];
};`;

/** openapi-typescript's own would take the members of bytes apart. */
const VIEWS = /^export type (Read|Writ)able<T> = /gm;
const VIEWS_WITH_BYTES = 'export type $1able<T> = T extends Blob ? T : ';

/** openapi-typescript turns the `#` of an operationId into `/`, which another one may have: it gets others meanwhile. */
function aliasOperations(document: OpenApiDocument): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>();
  for (const item of Object.values(document.paths ?? {}))
    for (const method of HTTP_METHODS) {
      const operation = item[method] as { operationId?: string } | undefined;
      if (!operation?.operationId?.includes('#')) continue;
      const alias = `an operation, the ${aliases.size + 1}.`;
      aliases.set(alias, operation.operationId);
      operation.operationId = alias;
    }
  return aliases;
}

const SCALARS = new Set<unknown>(['string', 'number', 'integer', 'boolean', 'null']);
const COMPOSING = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if'];

/**
 * Writes schemas of scalars where properties refer to them, so that editors show a property as `sku: string` with what the
 * contract says of it, and not by the name of its schema.
 */
function inlineScalars(copy: OpenApiDocument): void {
  const schemas = asNode(copy.components?.schemas ?? {});
  for (const { node, kind } of [...nodesBelow(copy, 'document')]) {
    const { properties } = node;
    if (kind !== 'schema' || !isNode(properties)) continue;
    for (const [name, property] of Object.entries(properties)) {
      const referred = schemas[schemaNameOf(property) ?? ''];
      if (!isScalar(referred)) continue;
      const { $ref: _, ...beside } = property as Node;
      properties[name] = { ...structuredClone(referred), ...beside };
    }
  }
}

function isScalar(schema: unknown): schema is Node {
  if (!isNode(schema) || COMPOSING.some((keyword) => keyword in schema)) return false;
  const types = [schema['type']].flat();
  return types.length > 0 && types.every((type) => SCALARS.has(type));
}

/** Keywords that shape the type of a value; the others are for readers, or bounds. */
const SHAPES =
  /^(?:type|const|enum|properties|patternProperties|additionalProperties|required|items|prefixItems|allOf|anyOf|oneOf)$/;

/** Writes schemas in place in a way for which openapi-typescript has types that fit all valid values. */
function typedSchemas(copy: OpenApiDocument): void {
  const schemas = [...nodesBelow(copy, 'document')].flatMap(({ node, kind }) => (kind === 'schema' ? [node] : []));
  for (const schema of schemas) mapDiscriminator(copy, schema);
  for (const schema of schemas) {
    leaveOutNull(schema);
    const { $ref, ...beside } = schema;
    if (typeof $ref !== 'string' || !Object.keys(beside).some((keyword) => SHAPES.test(keyword))) continue;
    delete schema['$ref'];
    schema['allOf'] = [{ $ref }, ...[schema['allOf'] ?? []].flat()];
  }
}

/** Without `mapping`, openapi-typescript takes the names of schemas for the values of their branches. */
function mapDiscriminator(document: OpenApiDocument, schema: Node): void {
  const { discriminator } = schema;
  const union = isNode(discriminator) && !isNode(discriminator['mapping']) && discriminatedUnion(document, schema);
  if (!union || !isNode(discriminator)) return;
  discriminator['mapping'] = Object.fromEntries(
    union.branches.flatMap(({ schema: branch, values }) =>
      isReference(branch) ? values.map((value) => [String(value), branch.$ref]) : [],
    ),
  );
}

/** Null is valid only if `enum` lists it, too. */
function leaveOutNull(schema: Node): void {
  const { type, enum: values } = schema;
  if (!Array.isArray(type) || !Array.isArray(values) || values.includes(null)) return;
  const types = type.filter((one) => one !== 'null');
  schema['type'] = types.length === 1 ? types[0] : types;
}
