import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { Engine } from '../engine/interface/engine.ts';
import { HandlerError } from '../errors/handler-error.ts';
import { Pickers } from '../schema/pick.ts';
import type { SchemaRegistry } from '../schema/schema-registry.ts';
import { createOperation, type Operation, type OperationCode } from './operation.ts';

/** The operations that `handlers.operations` answers, by operationId. */
export type Operations = Readonly<Record<string, Operation>>;

export interface OperationSources {
  readonly contract: Pick<CompiledContract, 'rest' | 'document'>;
  /** By operationId. */
  readonly code: Readonly<Record<string, OperationCode>>;
  /** Operations that a route answers over REST. */
  readonly replaced: ReadonlySet<string>;
  readonly engine: Engine;
  readonly schemas: SchemaRegistry;
  /** Checks the bodies of all answers. */
  readonly check: boolean;
  /** An operation without a function answers `NOT_IMPLEMENTED`. */
  readonly allowMissing: boolean;
}

/** Throws `HandlerError` when a function is missing, or stands where none belongs. */
export function createOperations({
  contract,
  code,
  replaced,
  engine,
  schemas,
  check,
  allowMissing,
}: OperationSources): Operations {
  const { operations } = contract.rest;
  const own = operations.filter((operation) => operation.code?.in === 'operations');
  const isOwn = (id: string): boolean => own.some(({ operationId }) => operationId === id);
  const missing = own
    .map(({ operationId }) => operationId)
    .filter((id) => !Object.hasOwn(code, id) && !replaced.has(id));
  if (missing.length > 0 && !allowMissing)
    throw new HandlerError(`No handler for ${missing.join(', ')} (handlers.operations)`);
  for (const id of Object.keys(code))
    if (operations.find(({ operationId }) => operationId === id)?.code?.in === 'routes')
      throw new HandlerError(
        `handlers.operations.${id}: only HTTP has its inputs or answers; move it to handlers.routes`,
      );
  const strange = Object.keys(code).filter((id) => !isOwn(id));
  if (strange.length > 0) throw new HandlerError(`Handlers for operations that are not custom: ${strange.join(', ')}`);
  const parts = { engine, schemas, check, pickers: new Pickers(contract.document, schemas) };
  return Object.fromEntries(
    own.map((operation) => [operation.operationId, createOperation(operation, code[operation.operationId], parts)]),
  );
}
