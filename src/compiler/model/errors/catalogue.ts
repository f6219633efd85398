import type { OpenApiDocument, Response } from '../../../descriptor/document.ts';
import type { ErrorCatalogue, ErrorDescriptor } from '../../../descriptor/error.ts';
import { MAPPED_ERROR_CODES, standardErrors } from '../../../descriptor/standard-errors.ts';
import { isSchemaObject } from '../../json-schema/flat-schema.ts';
import { schemaNamed } from '../schemas.ts';

export const ERROR_CODES = 'x-error-codes';

/** The codes in a response's `x-error-codes`. */
export function listedCodes(response: Response | undefined): readonly string[] {
  const codes = response?.[ERROR_CODES];
  return Array.isArray(codes) ? codes.map(String) : [];
}

/** The contract's own error codes, in order, with their descriptions. */
export interface DeclaredErrors {
  readonly schema: object;
  readonly codes: readonly string[];
  readonly descriptions: Readonly<Record<string, Omit<ErrorDescriptor, 'code'>>>;
}

/** The errors of `components.schemas.ErrorCode`, if it has `x-error-codes`. */
export function declaredErrors(document: OpenApiDocument): DeclaredErrors | undefined {
  const schema = schemaNamed(document, 'ErrorCode');
  if (!isSchemaObject(schema) || !isSchemaObject(schema[ERROR_CODES])) return undefined;
  const codes = Array.isArray(schema['enum']) ? schema['enum'].map(String) : [];
  return { schema, codes, descriptions: schema[ERROR_CODES] as DeclaredErrors['descriptions'] };
}

/** Whether a code is one of the server's own in a contract: some belong to writes of tables of others. */
export const isStandardIn = (document: OpenApiDocument, code: string): boolean =>
  !MAPPED_ERROR_CODES.has(code) || writesMapped(document);

const WRITES = ['post', 'put', 'patch', 'delete'] as const;

const writesMapped = ({ components = {}, paths = {} }: OpenApiDocument): boolean =>
  Object.values(components.schemas ?? {}).some(isMapped) &&
  Object.values(paths).some((item) => WRITES.some((method) => item?.[method] !== undefined));

const isMapped = (schema: unknown): boolean =>
  isSchemaObject(schema) &&
  (isSchemaObject(schema['x-table']) || (Array.isArray(schema['allOf']) && schema['allOf'].some(isMapped)));

/** Every error of the service, in the order of `ErrorCode`; the standard errors if the contract declares none. */
export function errorCatalogue(document: OpenApiDocument): ErrorCatalogue {
  const declared = declaredErrors(document);
  if (declared === undefined)
    return Object.fromEntries(Object.entries(standardErrors).filter(([code]) => isStandardIn(document, code)));
  return Object.fromEntries(
    declared.codes.flatMap((code) => {
      const description = declared.descriptions[code];
      return description === undefined ? [] : [[code, descriptor(code, description)]];
    }),
  );
}

function descriptor(code: string, declared: Omit<ErrorDescriptor, 'code'>): ErrorDescriptor {
  const { status, title, description, retryable } = declared;
  return { code, status, title, description, retryable };
}
