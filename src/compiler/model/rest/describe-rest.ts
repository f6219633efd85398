import { isBearer } from '../../../descriptor/bearer.ts';
import { MAX_BODIES_BYTES } from '../../../descriptor/body-limits.ts';
import { contentOf, kindOf } from '../../../descriptor/content.ts';
import {
  HTTP_METHODS,
  isRead,
  type OpenApiDocument,
  type Operation,
  type RequestBody,
  type Response,
} from '../../../descriptor/document.ts';
import { type GraphqlDescriptor, partsOfCoordinate } from '../../../descriptor/graphql.ts';
import type {
  BodyDescriptor,
  CodeDescriptor,
  ContentDescriptor,
  Deprecation,
  MediaDescriptor,
  OperationDescriptor,
  RestDescriptor,
  SchemeDescriptor,
} from '../../../descriptor/rest.ts';
import { maxBodyBytes, maxBodyValues } from '../../json-schema/body-limits.ts';
import type { OperationDraft } from '../draft.ts';
import { listedCodes } from '../errors/catalogue.ts';
import { collectOperations } from '../operations.ts';
import { codeOf } from '../responses.ts';
import { securityScheme, securitySchemes } from '../security-schemes.ts';
import { describeParameter, formFields } from './describe-parameter.ts';

/** The REST side of a completed or released document. `deprecation`: its operations are those of an old version. */
export function describeRest(
  document: OpenApiDocument,
  operations: readonly OperationDraft[] = collectOperations(document),
  deprecation?: Deprecation,
): RestDescriptor {
  const schemes = Object.keys(securitySchemes(document)).map((name) => [name, describeScheme(document, name)] as const);
  return {
    operations: inOrder(operations).map((operation) => describeOperation(document, operation, deprecation)),
    securitySchemes: Object.fromEntries(schemes),
  };
}

/** Adds to the operations of a contract how hand-written code answers the `custom` ones. */
export function withCode(
  rest: RestDescriptor,
  custom: readonly OperationDraft[],
  document: OpenApiDocument,
  graphql?: GraphqlDescriptor,
): RestDescriptor {
  const read = new Set(
    Object.entries(graphql?.fields ?? {}).flatMap(([coordinate, field]) =>
      field.kind === 'custom' && partsOfCoordinate(coordinate).type !== 'Mutation' ? [field.operationId] : [],
    ),
  );
  const codes = new Map(
    custom.map((operation): [string, CodeDescriptor] => {
      const { operationId, method } = operation;
      const reads = isRead(method) || read.has(operationId);
      return [operationId, { in: codeOf(document, operation), ...(reads && { reads }) }];
    }),
  );
  return {
    ...rest,
    operations: rest.operations.map((operation) => {
      const code = codes.get(operation.operationId);
      return code ? { ...operation, code } : operation;
    }),
  };
}

/** Path by path, in the order in which OpenAPI lists methods. */
const inOrder = (operations: readonly OperationDraft[]): readonly OperationDraft[] =>
  [...Map.groupBy(operations, ({ path }) => path).values()].flatMap((ofPath) =>
    ofPath.toSorted((a, b) => HTTP_METHODS.indexOf(a.method) - HTTP_METHODS.indexOf(b.method)),
  );

function describeOperation(
  document: OpenApiDocument,
  { operationId, method, path, node, parameters, body, responses, access }: OperationDraft,
  deprecation: Deprecation | undefined,
): OperationDescriptor {
  const declared = [...responses].filter(([status]) => !status.startsWith('x-'));
  const errorCodes = new Set(declared.flatMap(([, response]) => listedCodes(response)));
  return {
    operationId,
    method,
    path,
    parameters: parameters.map((parameter) => describeParameter(document, parameter)),
    ...(body && { requestBody: describeBody(document, body) }),
    responses: Object.fromEntries(declared.map(([status, response]) => [status, describeContent(document, response)])),
    access,
    ...(errorCodes.size > 0 && { errorCodes: [...errorCodes] }),
    ...((deprecation || node.deprecated === true) && { deprecation: { ...deprecationOf(node), ...deprecation } }),
  };
}

const describeContent = (document: OpenApiDocument, { content }: Response): ContentDescriptor =>
  Object.fromEntries(
    Object.entries(contentOf(document, content)).map(([type, { schema }]) => [
      type,
      { ...(schema !== undefined && { schema }) },
    ]),
  );

function describeBody(document: OpenApiDocument, { required, content }: RequestBody): BodyDescriptor {
  const media = Object.entries(contentOf(document, content)).map(([type, declared]): [string, MediaDescriptor] => {
    const { schema } = declared;
    const kind = kindOf(document, type, declared);
    const maxBytes = maxBodyBytes(document, kind, schema ?? true);
    return [
      type,
      {
        ...(schema !== undefined && { schema }),
        maxValues: maxBodyValues(document, schema ?? true),
        ...(maxBytes !== undefined && maxBytes <= MAX_BODIES_BYTES && { maxBytes }),
        ...(kind === 'form' && { fields: formFields(document, declared) }),
      },
    ];
  });
  return { ...(required === true && { required: true }), content: Object.fromEntries(media) };
}

function deprecationOf(node: Operation): Deprecation {
  const { 'x-deprecated-since': since, 'x-sunset': sunset, externalDocs: { url: docs } = {} } = node;
  return {
    ...(since !== undefined && { since }),
    ...(sunset !== undefined && { sunset }),
    ...(docs !== undefined && { docs }),
  };
}

function describeScheme(document: OpenApiDocument, name: string): SchemeDescriptor {
  const scheme = securityScheme(document, name);
  if (scheme?.type === 'mutualTLS') return { in: 'connection', name };
  if (scheme?.type === 'apiKey') return { in: scheme['in'] as SchemeDescriptor['in'], name: String(scheme['name']) };
  return { in: 'header', name: 'Authorization', ...(scheme && isBearer(scheme) && { isBearer: true }) };
}
