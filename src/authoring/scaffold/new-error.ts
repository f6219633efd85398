import { declaredErrors, ERROR_CODES } from '../../compiler/model/errors/index.ts';
import { snakeCase, upperFirst } from '../../compiler/model/index.ts';
import { ConfigError } from '../../descriptor/config-error.ts';
import { standardErrors } from '../../descriptor/standard-errors.ts';
import type { Json } from '../sync/openapi-resource.ts';
import type { Addition } from './addition.ts';

/** An error code of the contract's own. */
export interface NewError {
  /** UPPER_SNAKE_CASE. */
  readonly code: string;
  /** HTTP status, from 400 to 599. */
  readonly status: number;
  readonly description: string;
}

/** Reads the words of a command line. Throws `ConfigError`. */
export function readError(code: string, status = '', description = ''): NewError {
  if (!/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/.test(code))
    throw new ConfigError([`${code}: write the code in UPPER_SNAKE_CASE, like ${snakeCase(code).toUpperCase()}.`]);
  if (!/^[45]\d\d$/.test(status))
    throw new ConfigError([
      `${status || 'No status'}: give a status from 400 to 599, like ${code} 409 'Why it is refused.'.`,
    ]);
  return { code, status: Number(status), description: description || `${titleOf(code)}.` };
}

/** `BOOK_ON_LOAN` → `Book on loan`. */
const titleOf = (code: string): string => upperFirst(code.toLowerCase().replaceAll('_', ' '));

/** The addition of an error code, which the operations that answer it then name in a response. */
export const errorAddition =
  ({ code, status, description }: NewError): Addition =>
  async ({ side: { document }, source, files, writer }) => {
    const words = { status, title: titleOf(code), description, retryable: false };
    const declared = declaredErrors(document);
    if (declared) {
      if (declared.codes.includes(code)) throw new ConfigError([`${code} already exists.`]);
      const schema = declared.schema as { readonly enum: object; readonly [ERROR_CODES]: object };
      await writer.addItem(source.locate(schema.enum), code);
      await writer.addEntry(source.locate(schema[ERROR_CODES]), code, words);
      return;
    }
    if (Object.hasOwn(standardErrors, code)) throw new ConfigError([`${code} is a standard code.`]);
    if (writer.has('schemas', 'ErrorCode')) throw new ConfigError(['ErrorCode exists, without `x-error-codes`.']);
    await writer.addComponent('schemas', 'ErrorCode', catalogue(code, words));
    const reference = { $ref: 'schemas/ErrorCode.yaml' };
    if (writer.isSplit)
      await writer.addEntry({ file: files.entry, pointer: '/components/schemas' }, 'ErrorCode', reference);
  };

/** The words of the codes that every contract has. */
export const STANDARD_WORDS: Readonly<Record<string, Json>> = Object.fromEntries(
  Object.values(standardErrors).map(({ code, status, title, description, retryable }) => [
    code,
    { status, title, description, retryable },
  ]),
);

/** A contract that declares codes declares all of them, with the words of each. */
function catalogue(code: string, words: Json): Json {
  return {
    description: 'What went wrong, for programs.',
    type: 'string',
    enum: [...Object.keys(STANDARD_WORDS), code],
    [ERROR_CODES]: { ...STANDARD_WORDS, [code]: words },
  };
}
