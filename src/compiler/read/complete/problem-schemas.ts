import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import type { ErrorCatalogue } from '../../../descriptor/error.ts';
import { schemaReference } from '../../json-schema/references.ts';
import { declaredErrors, ERROR_CODES } from '../../model/errors/catalogue.ts';
import { objectDraft } from '../../model/resources/object-draft.ts';
import { namedSchemas } from '../../model/schemas.ts';

/** The schema of the codes of errors, if a document has one. */
export const codesIn = (document: OpenApiDocument): Schema | undefined =>
  namedSchemas(document)[problemNames(document).errorCode];

/** Members of a problem that the server sends (RFC 9457, section 3, and extension members). */
const PROBLEM_MEMBERS = ['type', 'title', 'status', 'detail', 'instance', 'code', 'errors', 'requestId'] as const;

/** Names in `components.schemas` of the two schemas that every error response uses. */
export interface ProblemNames {
  readonly errorCode: string;
  readonly problem: string;
}

/** Those of the contract if they are suitable, else names that the contract does not use for anything else. */
export function problemNames(document: OpenApiDocument): ProblemNames {
  const schemas = namedSchemas(document);
  const ownCode = declaredErrors(document) !== undefined || !('ErrorCode' in schemas);
  const ownProblem = !('Problem' in schemas) || missingProblemMembers(document).length === 0;
  return { errorCode: ownCode ? 'ErrorCode' : 'ServerErrorCode', problem: ownProblem ? 'Problem' : 'ServerProblem' };
}

/** Members of a problem that the contract's own `Problem` lacks. */
export function missingProblemMembers(document: OpenApiDocument): readonly string[] {
  const properties = objectDraft(document, 'Problem')?.properties;
  return PROBLEM_MEMBERS.filter((member) => !properties?.has(member));
}

export function errorCodeSchema(errors: ErrorCatalogue): Schema {
  const entries = Object.values(errors).map(({ code, ...rest }) => [code, rest]);
  return {
    type: 'string',
    description: 'The codes of all errors.',
    enum: Object.keys(errors),
    [ERROR_CODES]: Object.fromEntries(entries),
  };
}

export function problemSchema({ errorCode }: ProblemNames): Schema {
  return {
    type: 'object',
    description: 'Details of an error (RFC 9457).',
    required: ['type', 'title', 'status', 'code', 'requestId'],
    properties: {
      type: { type: 'string', format: 'uri-reference', description: 'URL of the documentation of the code.' },
      title: { type: 'string', description: 'A short summary of the code.' },
      status: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status code.' },
      detail: { type: 'string', description: 'What went wrong in this request.' },
      instance: { type: 'string', format: 'uri-reference', description: 'The path of the request.' },
      code: schemaReference(errorCode),
      errors: { type: 'array', description: 'All faults of the request.', items: fieldErrorSchema },
      requestId: { type: 'string', description: "Identifies the request in the server's log." },
    },
  };
}

const fieldErrorSchema: Schema = {
  type: 'object',
  required: ['detail'],
  properties: {
    pointer: { type: 'string', description: 'JSON pointer into the body (RFC 6901).' },
    parameter: { type: 'string', description: 'Name of a path, query or cookie parameter.' },
    header: { type: 'string', description: 'Name of a header field.' },
    code: { type: 'string', description: 'Code of the fault.' },
    detail: { type: 'string', description: 'What is wrong.' },
  },
};
