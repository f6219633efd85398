import type { Access } from '../descriptor/access.ts';
import {
  HTTP_METHODS,
  type HttpMethod,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type PathItem,
  type SecurityRequirement,
} from '../descriptor/document.ts';
import type { OperationDraft } from './draft.ts';
import { resolveReference } from './references.ts';
import { camelCase, parameterOf, pathSegments } from './resources/naming.ts';

/** Every operation of a document, in its own order. */
export function collectOperations(document: OpenApiDocument): readonly OperationDraft[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, pathItem]) => {
    const item = resolveReference<PathItem>(document, pathItem);
    if (item === undefined) return [];
    return Object.keys(item)
      .filter(isMethod)
      .flatMap((method) => {
        const node = item[method];
        return node === undefined ? [] : [operationDraft(document, path, item, method, node)];
      });
  });
}

function isMethod(key: string): key is HttpMethod {
  return (HTTP_METHODS as readonly string[]).includes(key);
}

function operationDraft(
  document: OpenApiDocument,
  path: string,
  item: PathItem,
  method: HttpMethod,
  node: Operation,
): OperationDraft {
  return {
    operationId: node.operationId ?? derivedOperationId(method, path),
    method,
    path,
    node,
    item,
    parameters: mergedParameters(document, item, node),
    access: accessOf(node.security ?? document.security ?? []),
  };
}

/** An operation's parameter replaces the path's of the same name and place (OpenAPI 3.1, 4.8.9.1). */
function mergedParameters(document: OpenApiDocument, item: PathItem, operation: Operation): readonly Parameter[] {
  const merged = new Map<string, Parameter>();
  for (const declared of [...(item.parameters ?? []), ...(operation.parameters ?? [])]) {
    const parameter = resolveReference<Parameter>(document, declared);
    if (parameter !== undefined) merged.set(`${parameter.in}:${parameter.name}`, parameter);
  }
  return [...merged.values()];
}

function accessOf(security: readonly SecurityRequirement[]): Access {
  return {
    anyOf: security.map((requirement) => ({
      schemes: Object.entries(requirement).map(([name, scopes]) => ({ name, scopes })),
    })),
  };
}

/** `GET /pets/{petId}` → `getPetsByPetId`: stubs need a name where the author gave none. */
export function derivedOperationId(method: HttpMethod, path: string): string {
  const words = pathSegments(path).map((segment) => {
    const parameter = parameterOf(segment);
    return parameter === undefined ? segment : `by-${parameter}`;
  });
  return camelCase([method, ...words].join('-'));
}
