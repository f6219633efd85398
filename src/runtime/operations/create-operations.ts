import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { HandlerError } from '../errors/handler-error.ts';
import { createOperation, type Operation, type OperationCode, type OperationParts } from './operation.ts';

/** The operations that `handlers.operations` answers, by operationId. */
export type Operations = Readonly<Record<string, Operation>>;

/** The code of operations, by operationId. */
interface CodeOfOperations {
  readonly operations?: Readonly<Record<string, OperationCode>>;
  /** An operation that has a route as well may lack a function, which only REST would call. */
  readonly routes?: object;
}

/**
 * The custom operations of a contract for every protocol. Throws `HandlerError` when a function is missing, unless it
 * `allowsMissing`, and when one stands where none belongs.
 */
export function createOperations(
  { rest }: Pick<CompiledContract, 'rest'>,
  { operations = {}, routes = {} }: CodeOfOperations,
  parts: OperationParts,
  allowsMissing: boolean,
): Operations {
  const code = new Map(Object.entries(operations).filter(([, one]) => one !== undefined));
  const idsIn = (part: string): readonly string[] =>
    rest.operations.filter((one) => one.code?.in === part).map(({ operationId }) => operationId);
  const [own, ofHttp] = [idsIn('operations'), idsIn('routes')];
  const missing = own.filter((id) => !code.has(id) && !Object.hasOwn(routes, id));
  if (missing.length > 0 && !allowsMissing)
    throw new HandlerError(`No handler for ${missing.join(', ')} (handlers.operations)`);
  const strange = [...code.keys()].filter((id) => !own.includes(id));
  for (const id of strange.filter((one) => ofHttp.includes(one)))
    throw new HandlerError(
      `handlers.operations.${id}: only HTTP has its inputs or answers; move it to handlers.routes`,
    );
  if (strange.length > 0)
    throw new HandlerError(
      `Handlers for operations that are not custom: ${strange.join(', ')} (in handlers.operations, or from an older generated/: run \`npm run generate\`)`,
    );
  return Object.fromEntries(
    rest.operations
      .filter(({ operationId }) => own.includes(operationId))
      .map((operation) => [operation.operationId, createOperation(operation, code.get(operation.operationId), parts)]),
  );
}
