import type { Response } from '../../../descriptor/document.ts';
import type { ErrorCatalogue } from '../../../descriptor/error.ts';
import { schemaNameOf, schemaReference } from '../../json-schema/references.ts';
import type { OperationDraft } from '../../model/draft.ts';
import { ERROR_CODES, listedCodes } from '../../model/errors/catalogue.ts';
import { camelCase, upperFirst } from '../../model/naming.ts';

export const PROBLEM_TYPE = 'application/problem+json';

/**
 * What the server answers before it knows which operation is asked for: the document declares them, and they do not belong to the
 * operation's own codes.
 */
export const TRANSPORT_CODES: readonly string[] = ['URI_TOO_LONG', 'HEADERS_TOO_LARGE'];

/** The codes that an operation's declared responses list. */
export const declaredCodes = ({ responses }: OperationDraft): readonly string[] =>
  [...responses.values()].flatMap(listedCodes);

/** Error codes by status, in the catalogue's order. */
export function codesByStatus(errors: ErrorCatalogue, codes: ReadonlySet<string>): ReadonlyMap<number, string[]> {
  const present = Object.values(errors).filter(({ code }) => codes.has(code));
  return new Map(
    [...Map.groupBy(present, ({ status }) => status)]
      .sort(([a], [b]) => a - b)
      .map(([status, entries]) => [status, entries.map(({ code }) => code)]),
  );
}

/** A response for these codes. It does not depend on the operation, so that operations can share it. */
export function errorResponse(errors: ErrorCatalogue, problem: string, codes: readonly string[]): Response {
  return {
    description: codes.map((code) => errors[code]!.description).join(' '),
    content: { [PROBLEM_TYPE]: { schema: schemaReference(problem) } },
    [ERROR_CODES]: codes,
  };
}

/** `NOT_FOUND` → `NotFound`; two codes are joined by `Or`. */
export function errorResponseName(codes: readonly string[]): string {
  return codes.map((code) => pascalCase(code)).join('Or');
}

/** The author's response, extended by the codes that it does not list and by the problem schema. */
export function extendedResponse(response: Response, problem: string, codes: readonly string[]): Response {
  const own = response.content?.[PROBLEM_TYPE]?.schema;
  const added = schemaReference(problem);
  const schema = own === undefined || schemaNameOf(own) === problem ? added : { anyOf: [own, added] };
  const content = { ...response.content, [PROBLEM_TYPE]: { ...response.content?.[PROBLEM_TYPE], schema } };
  return { ...response, content, [ERROR_CODES]: codes };
}

function pascalCase(code: string): string {
  const words = camelCase(code.toLowerCase());
  return upperFirst(words);
}
