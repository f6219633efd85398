import { closest, suggestion } from '../../compiler/findings/index.ts';
import { draftOf, resourceAbove, wordsOf } from '../../compiler/graphql/convention/index.ts';
import { schemaReference } from '../../compiler/json-schema/index.ts';
import {
  camelCase,
  lowerFirst,
  namedSchemas,
  parameterOf,
  pathSegments,
  upperFirst,
} from '../../compiler/model/index.ts';
import { ConfigError } from '../../descriptor/config-error.ts';
import { HTTP_METHODS } from '../../descriptor/document.ts';
import type { OpenContract } from '../sync/open-contract.ts';
import { DONE, type Json, pathParameter, resultOf } from '../sync/openapi-resource.ts';
import { operationObject } from '../sync/operation-object.ts';
import type { Addition } from './addition.ts';
import type { Field } from './field.ts';
import { enumName, enumSchema, inputSchema } from './field-schemas.ts';
import { withTargets } from './id-schemas.ts';

/** A custom operation: one that takes a handler. */
export interface NewOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  /** What its body has; none for no body. */
  readonly fields: readonly Field[];
  /** Name of the schema that it answers; undefined: 204. */
  readonly returns?: string | undefined;
}

/** Reads `POST /books/{bookId}/lend`. Throws `ConfigError`. */
export function readRoute(text: string): { readonly method: string; readonly path: string } {
  const [, method = '', path = ''] = /^(\S+)\s+(\/\S*)$/.exec(text) ?? [];
  if (path === '')
    throw new ConfigError([`${text} is not a route; write method and path, like 'POST /books/{bookId}/lend'.`]);
  const known = HTTP_METHODS.map((name) => name.toUpperCase());
  if (!known.includes(method)) throw new ConfigError([`${method} is not a method. ${suggestion(method, known)}`]);
  return { method: method.toLowerCase(), path };
}

/** The addition of an operation to the document; its GraphQL field follows. Throws `ConfigError` for names that are taken. */
export const operationAddition =
  (operation: NewOperation): Addition =>
  async (contract) => {
    const { side, source, writer } = contract;
    const { operationId, method, path } = operation;
    if (!/^[a-z][A-Za-z0-9]*$/.test(operationId))
      throw new ConfigError([`${operationId}: write the operationId in camelCase, like ${lowerCamel(operationId)}.`]);
    if (side.operations.some((one) => one.operationId === operationId))
      throw new ConfigError([`${operationId} already exists.`]);
    refuseUnknown(contract, operation);
    await addInput(contract, operation);
    const item = side.draft.paths.find((one) => one.path === path)?.item;
    if (item && method in item) throw new ConfigError([`${method.toUpperCase()} ${path} already exists.`]);
    const node = nodeOf(contract, operation);
    if (item) {
      await writer.addEntry(source.locate(item), method, node);
      return;
    }
    const parameters = pathSegments(path).flatMap((segment) => parameterOf(segment) ?? []);
    const declared = parameters.map((name) => pathParameter(side, name));
    const words = pathSegments(path).filter((segment) => parameterOf(segment) === undefined);
    await writer.addPath(path, words.join('-'), {
      ...(declared.length > 0 && { parameters: declared }),
      [method]: node,
    });
  };

const lowerCamel = (text: string): string => lowerFirst(camelCase(text));

function refuseUnknown({ side: { document }, writer }: OpenContract, { method, fields, returns }: NewOperation): void {
  if (method === 'get' && fields.length > 0)
    throw new ConfigError(['A GET has no body; give the fields to another method.']);
  const known = Object.keys(namedSchemas(document));
  // A schema in a file of its own may be one that nothing refers to yet.
  if (returns !== undefined && !known.includes(returns) && !writer.has('schemas', returns)) {
    const near = closest(returns, known);
    throw new ConfigError([
      `--returns ${returns}: unknown schema.${near === undefined ? '' : ` Did you mean ${near}?`}`,
    ]);
  }
  if (method === 'get' && returns === undefined) throw new ConfigError(['Name its response: --returns SCHEMA.']);
}

async function addInput({ side, writer }: OpenContract, operation: NewOperation): Promise<void> {
  const { operationId } = operation;
  const fields = withTargets(side, operation.fields);
  if (fields.length === 0) return;
  const type = upperFirst(operationId);
  if (writer.has('schemas', `${type}Input`)) throw new ConfigError([`${type}Input already exists.`]);
  for (const field of fields) {
    if (field.type.kind === 'enum')
      await writer.addComponent('schemas', enumName(type, field), enumSchema(type, field, field.type.values));
  }
  await writer.addComponent('schemas', `${type}Input`, inputSchema(type, fields, `Input for \`${operationId}\`.`));
}

function nodeOf(contract: OpenContract, { operationId, method, path, fields, returns }: NewOperation): Json {
  const input = schemaReference(`${upperFirst(operationId)}Input`);
  const like = neighbour(contract, method, path);
  const summary = upperFirst(wordsOf(operationId));
  return operationObject({
    operationId,
    tags: like?.['tags'],
    summary,
    description: `${summary}.`,
    security: like?.security,
    body: fields.length > 0 ? { schema: input, isRequired: fields.some((field) => field.isRequired) } : undefined,
    answer: returns ? resultOf(schemaReference(returns)) : DONE,
  });
}

/** The operation of the resource below whose path it stands: it has the same tags and the same access. */
function neighbour({ side }: OpenContract, method: string, path: string) {
  const resource = resourceAbove(side.resources, path);
  if (!resource) return undefined;
  const { get, list, update, replace, create } = draftOf(side, resource).operations;
  return (method === 'get' ? (get ?? list) : (update ?? replace ?? create))?.node;
}
