import type { Access } from '../../descriptor/access.ts';
import {
  HTTP_METHODS,
  type HttpMethod,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type PathItem,
  type RequestBody,
  type Response,
  type SecurityRequirement,
} from '../../descriptor/document.ts';
import { resolveReference } from '../json-schema/references.ts';
import type { OperationDraft, PathDraft } from './draft.ts';
import { camelCase, parameterOf, pathSegments, pathShape } from './naming.ts';

/** Every path of a document, in its order. */
export function collectPaths(document: OpenApiDocument): readonly PathDraft[] {
  const { paths = {} } = document;
  return Object.entries(paths).map(([path, declared]) => ({
    path,
    item: resolveReference<PathItem>(document, declared),
    place: { node: paths, key: path },
  }));
}

/** Every operation of a document, in its order. */
export function collectOperations(
  document: OpenApiDocument,
  paths = collectPaths(document),
): readonly OperationDraft[] {
  const all = paths.flatMap(({ path, item }) =>
    item ? methodsOf(item).map((method) => ({ path, item, method })) : [],
  );
  const taken = new Set(all.map(({ item, method }) => item[method]!.operationId));
  return all.map(({ path, item, method }) => operationDraft(document, path, item, method, taken));
}

function methodsOf(item: PathItem): readonly HttpMethod[] {
  return Object.keys(item).filter(isMethod);
}

export function isMethod(key: string): key is HttpMethod {
  return (HTTP_METHODS as readonly string[]).includes(key);
}

function operationDraft(
  document: OpenApiDocument,
  path: string,
  item: PathItem,
  method: HttpMethod,
  taken: Set<string | undefined>,
): OperationDraft {
  const node = item[method]!;
  return {
    operationId: node.operationId || derivedOperationId(method, path, taken),
    method,
    path,
    shape: pathShape(path),
    node,
    item,
    parameters: mergedParameters(document, item, node),
    body: resolveReference<RequestBody>(document, node.requestBody),
    responses: resolvedResponses(document, node),
    access: accessOf(node.security ?? document.security ?? []),
  };
}

/** An operation's parameter overrides the path's parameter with the same name and location (OpenAPI 3.1, 4.8.9.1). */
function mergedParameters(document: OpenApiDocument, item: PathItem, operation: Operation): readonly Parameter[] {
  const merged = new Map<string, Parameter>();
  for (const declared of [...(item.parameters ?? []), ...(operation.parameters ?? [])]) {
    const parameter = resolveReference<Parameter>(document, declared);
    if (parameter !== undefined) merged.set(`${parameter.in}:${parameter.name}`, parameter);
  }
  return [...merged.values()];
}

function resolvedResponses(document: OpenApiDocument, { responses = {} }: Operation): ReadonlyMap<string, Response> {
  const resolved = Object.entries(responses).map(
    ([status, declared]) => [status, resolveReference<Response>(document, declared)] as const,
  );
  return new Map(resolved.flatMap(([status, response]) => (response ? [[status, response]] : [])));
}

function accessOf(security: readonly SecurityRequirement[]): Access {
  return {
    anyOf: security.map((requirement) => ({
      schemes: Object.entries(requirement).map(([name, scopes]) => ({ name, scopes })),
    })),
  };
}

/** `GET /pets/{petId}` → `getPetsByPetId`, with a number if that is taken, because stubs need a name. */
export function derivedOperationId(method: HttpMethod, path: string, taken: Set<string | undefined>): string {
  const words = pathSegments(path).map((segment) => {
    const parameter = parameterOf(segment);
    return parameter === undefined ? segment : `by-${parameter}`;
  });
  const name = camelCase([method, ...words].join('-'));
  let unique = name;
  for (let number = 2; taken.has(unique); number++) unique = `${name}${number}`;
  taken.add(unique);
  return unique;
}
