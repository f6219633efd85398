import type { ContractModel, OperationModel } from '../../../compiler/model/index.ts';

/** The codes of an operation. */
export function codesOf({ errorCodes, responses }: OperationModel): ReadonlySet<string> {
  const declared = [...responses.values()].flatMap(({ 'x-error-codes': codes = [] }) => codes);
  return new Set(declared.length > 0 ? declared : errorCodes);
}

/** The codes that all operations have. */
export function commonCodes({ operations, errors }: Pick<ContractModel, 'operations' | 'errors'>): ReadonlySet<string> {
  const all = operations.map(codesOf);
  return new Set(Object.keys(errors).filter((code) => all.every((own) => own.has(code))));
}
