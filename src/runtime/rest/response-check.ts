import { isJson } from '../../descriptor/content.ts';
import type { ErrorCatalogue, ErrorDescriptor } from '../../descriptor/error.ts';
import { type ContentDescriptor, declaredFor, type OperationDescriptor } from '../../descriptor/rest.ts';
import type { ApiError } from '../errors/api-error.ts';
import { declaredTypeOf } from '../http/media-type.ts';
import type { SchemaRegistry } from '../schema/schema-registry.ts';
import type { Answer } from './answer.ts';

/** Validates answers against the contract, for tests and development. */
export interface ResponseCheck {
  /** Throws if the status, the media type or the body deviates from the contract. */
  answer(answer: Answer): void;
  /** Throws if the operation does not declare the code of the error. */
  error(error: ApiError<string>): void;
}

export function createResponseCheck(
  operation: OperationDescriptor,
  schemas: SchemaRegistry,
  errors: ErrorCatalogue,
): ResponseCheck {
  const { operationId, responses, errorCodes } = operation;
  const deviates = (how: string): Error => new Error(`${operationId} deviates from its contract: ${how}`);

  const checkBody = (status: number, content: ContentDescriptor, answer: Answer) => {
    const sent = String(answer.headers['content-type'] ?? 'no type');
    const type = declaredTypeOf(sent, Object.keys(content));
    if (typeof type !== 'string') throw deviates(`${status} has a body of ${sent}`);
    const schema = content[type]!.schema;
    if (schema === undefined || !isJson(sent) || typeof answer.payload !== 'string') return;
    const errors = schemas.output(schema)(JSON.parse(answer.payload));
    if (errors) throw deviates(`the body of ${status} is not as declared: ${JSON.stringify(errors)}`);
  };

  return {
    answer: (answer) => {
      const { status, payload } = answer;
      if (status === 304 && operation.method === 'get') return;
      const content = declaredFor(responses, status);
      if (!content) throw deviates(`status ${status} is not declared`);
      if (payload !== undefined) checkBody(status, content, answer);
      else if (Object.keys(content).length > 0) throw deviates(`${status} has no body`);
    },
    error: ({ code }) => {
      if (errorCodes && !errorCodes.includes(code)) throw deviates(undeclared(operation, code, errors[code]));
    },
  };
}

/** Says what to write where, for a code that an operation does not declare. */
function undeclared({ method, path, errorCodes }: OperationDescriptor, code: string, known?: ErrorDescriptor): string {
  const place = `paths['${path}'].${method}.responses`;
  if (!known) return `it returns ${code}, which \`ErrorCode\` does not have. Add it there, and to ${place}`;
  const response = `'${known.status}': { description: ${known.title}., x-error-codes: [${code}] }`;
  return `it returns ${code}, which ${method.toUpperCase()} ${path} does not declare. Write \`${response}\` into ${place} of the contract and run \`npm run generate\`, or throw a declared code: ${errorCodes!.join(', ')}`;
}
