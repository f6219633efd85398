import type { OpenApiDocument } from '../../descriptor/document.ts';
import type { ErrorCatalogue, ErrorDescriptor } from '../../descriptor/error.ts';
import { standardErrors } from '../../descriptor/standard-errors.ts';
import { isSchemaObject } from '../json-schema/flat-schema.ts';

export const ERROR_CODES = 'x-error-codes';

/** The contract's own list of errors: its codes in order, and what it says of each. */
export interface DeclaredErrors {
  readonly schema: object;
  readonly codes: readonly string[];
  readonly words: Readonly<Record<string, Omit<ErrorDescriptor, 'code'>>>;
}

/** `components.schemas.ErrorCode`, if it is a list of codes with `x-error-codes`. */
export function declaredErrors(document: OpenApiDocument): DeclaredErrors | undefined {
  const schema = document.components?.schemas?.['ErrorCode'];
  if (!isSchemaObject(schema) || !isSchemaObject(schema[ERROR_CODES])) return undefined;
  const codes = Array.isArray(schema['enum']) ? schema['enum'].map(String) : [];
  return { schema, codes, words: schema[ERROR_CODES] as DeclaredErrors['words'] };
}

/** Every error the service knows, in the order of `ErrorCode`; the standard ones when the contract lists none. */
export function errorCatalogue(document: OpenApiDocument): ErrorCatalogue {
  const declared = declaredErrors(document);
  if (declared === undefined) return standardErrors;
  return Object.fromEntries(
    declared.codes.flatMap((code) => {
      const words = declared.words[code];
      return words === undefined ? [] : [[code, descriptor(code, words)]];
    }),
  );
}

function descriptor(code: string, words: Omit<ErrorDescriptor, 'code'>): ErrorDescriptor {
  const { status, title, description, retryable } = words;
  return { code, status, title, description, retryable };
}
