import type { ErrorDescriptor } from '../../../descriptor/error.ts';
import type { ContractModel } from '../../model/model.ts';
import { literal, quote } from '../print.ts';

/** A class for each code, and the way from a code to its class. */
export function sdkErrors({ errors }: ContractModel): string {
  const all = Object.values(errors);
  const codes = all.map(({ code }) => quote(code)).join(' | ');
  return `import { ApiError, type ErrorDetails, type ErrorEntry } from './runtime/api-error.ts';

export type ErrorCode = ${codes};

${all.map(classOf).join('\n')}
const entries: Readonly<Record<string, ErrorEntry>> = ${literal(Object.fromEntries(all.map(entryOf)))};

const classes: Readonly<Record<string, typeof ApiError>> = {
${all.map(({ code }) => `  ${code}: ${errorClassOf(code)},\n`).join('')}};

/** The error of a code, of its own class. */
export function makeError(details: ErrorDetails, response?: Response): ApiError {
  const ErrorClass = classes[details.code] ?? ApiError;
  return new ErrorClass(details, entries[details.code], response);
}

/** Whether something that was thrown is an error with this code. */
export function isErrorCode<Code extends ErrorCode>(error: unknown, code: Code): error is ApiError & { readonly code: Code } {
  return error instanceof ApiError && error.code === code;
}
`;
}

/** \`OUT_OF_STOCK\`: \`OutOfStockError\`. */
export function errorClassOf(code: string): string {
  const words = code.split('_').map((word) => word.charAt(0) + word.slice(1).toLowerCase());
  return words.at(-1) === 'Error' ? words.join('') : `${words.join('')}Error`;
}

/** The classes of all codes, in order. */
export const errorClassesOf = ({ errors }: ContractModel): readonly string[] =>
  Object.keys(errors).map(errorClassOf).sort();

const classOf = ({ code, status, description }: ErrorDescriptor): string => `/** ${status}: ${commentOf(description)} */
export class ${errorClassOf(code)} extends ApiError {
  override readonly name: string = ${quote(errorClassOf(code))};
  declare readonly code: ${quote(code)};
}
`;

const entryOf = ({ code, status, title, retryable }: ErrorDescriptor) => [code, { status, title, retryable }] as const;

/** A text that ends no comment. */
export const commentOf = (text: string): string => text.trim().replaceAll('*/', '* /').replace(/\s+/g, ' ');
