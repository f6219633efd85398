import { HandlerError } from '../errors/handler-error.ts';
import type { RestOperation } from './operation.ts';
import { resourceActions } from './resource-actions.ts';
import type { RestOptions } from './rest-options.ts';

/** Throws unless all custom operations have a handler, and all handlers a custom operation. */
export function checkHandlers(operations: readonly RestOperation[], options: RestOptions): void {
  const ofResources = new Set(resourceActions(options.resources).map(({ operationId }) => operationId));
  const custom = operations.filter(({ operationId }) => !ofResources.has(operationId));
  const handlers = Object.keys(options.operations ?? {});
  const missing = custom.filter(({ operationId }) => !handlers.includes(operationId));
  const extra = handlers.filter((name) => !custom.some(({ operationId }) => operationId === name));
  if (missing.length > 0 && !options.allowMissing)
    throw new HandlerError(
      `No handler for ${missing.map(({ operationId }) => operationId).join(', ')} (handlers.operations)`,
    );
  if (extra.length > 0) throw new HandlerError(`Handlers for operations that are not custom: ${extra.join(', ')}`);
}
