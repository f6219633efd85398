import type { OpenApiDocument, Response } from '../../../descriptor/document.ts';
import { isSchemaObject } from '../../json-schema/flat-schema.ts';
import { resolveReference } from '../../json-schema/references.ts';
import type { ContractDraft, OperationDraft } from '../draft.ts';
import { namedResponses } from '../responses.ts';
import type { ExtensionUse } from '../source.ts';
import type { ExtensionPlace } from './extensions.ts';

/** Every `x-` key on a schema, an operation, a response, a parameter, `info` or the document. */
export function extensionUses({
  document,
  operations,
  schemas,
}: Pick<ContractDraft, 'document' | 'operations' | 'schemas'>): readonly ExtensionUse[] {
  const parameters = [...new Set(operations.flatMap((operation) => operation.parameters))];
  return [
    ...schemas.flatMap((node) => keysOf(node, isObjectSchema(node) ? 'schema' : 'property')),
    ...operations.flatMap(({ node }) => keysOf(node, 'operation')),
    ...parameters.flatMap((node) => keysOf(node, 'parameter')),
    ...responsesOf(document, operations).flatMap((node) => keysOf(node, 'response')),
    ...keysOf(document.info ?? {}, 'info'),
    ...keysOf(document, 'document'),
  ];
}

function keysOf(node: object, place: ExtensionPlace): readonly ExtensionUse[] {
  return Object.entries(node)
    .filter(([name]) => name.startsWith('x-'))
    .map(([name, value]) => ({ name, value, node, place }));
}

function isObjectSchema(node: object): boolean {
  const schema = node as Record<string, unknown>;
  const branches = Array.isArray(schema['allOf']) ? schema['allOf'] : [];
  const composed = branches.some((branch) => isSchemaObject(branch) && 'properties' in branch);
  const hasRowExtension = ['x-owner', 'x-search', 'x-table'].some((name) => name in schema) || hasRowAccess(schema);
  return 'properties' in schema || composed || hasRowExtension || isErrorCode(schema);
}

/** A property may have `x-access`, too: its rules are of reading and writing, not those of an object. */
function hasRowAccess(schema: Record<string, unknown>): boolean {
  const access = schema['x-access'];
  const mayBeObject = schema['type'] === 'object' || (schema['type'] === undefined && !('$ref' in schema));
  return access !== undefined && mayBeObject && !(typeof access === 'object' && access !== null && 'write' in access);
}

/** `ErrorCode` has no properties, and its list of codes stands on it whole. */
function isErrorCode(schema: Record<string, unknown>): boolean {
  return 'x-error-codes' in schema;
}

function responsesOf(document: OpenApiDocument, operations: readonly OperationDraft[]): readonly Response[] {
  const used = operations.flatMap(({ responses }) => [...responses.values()]);
  const named = Object.values(namedResponses(document)).flatMap(
    (one) => resolveReference<Response>(document, one) ?? [],
  );
  return [...new Set([...used, ...named])];
}
