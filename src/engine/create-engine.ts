import { v7 } from 'uuid';
import type { OpenApiDocument } from '../descriptor/document.ts';
import type { Action, ResourceDescriptor } from '../descriptor/resource.ts';
import type { SchemaRegistry } from '../schema/schema-registry.ts';
import type { Store } from '../storage/store.ts';
import { createAction } from './actions/create.ts';
import { deleteAction } from './actions/delete.ts';
import { getAction } from './actions/get.ts';
import { listAction } from './actions/list.ts';
import { replaceAction } from './actions/replace.ts';
import { updateAction } from './actions/update.ts';
import type { Call } from './call.ts';
import { createCursorCodec } from './cursor.ts';
import type { Engine, OperationCall, ResourceActions } from './engine.ts';
import { checkOverrides } from './override-check.ts';
import { compileResources, type Resource } from './resource.ts';
import {
  authorizeAction,
  inTransaction,
  type Override,
  type OverrideContext,
  type Runtime,
  readingOnly,
} from './runtime.ts';
import { unavailable } from './store-failure.ts';

export interface EngineOptions {
  readonly document: OpenApiDocument;
  readonly resources: readonly ResourceDescriptor[];
  readonly schemas: SchemaRegistry;
  readonly store: Store;
  /** By resource key, then action. */
  readonly overrides?: Readonly<Record<string, { readonly [A in Action]?: Override } | undefined>>;
  readonly clock?: () => Date;
  /** New ids: UUIDv7 (RFC 9562, 5.7), rising. */
  readonly newId?: () => string;
}

/** The engine of one contract over one store. Throws when an override has no action in the contract. */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { document, schemas, store, overrides = {}, clock = () => new Date(), newId = v7 } = options;
  checkOverrides(options.resources, overrides);
  const resources = compileResources(options.resources, document, schemas);
  const cursors = createCursorCodec(await store.secret('cursor'));
  const runtime: Runtime = { store, resources, overrides, cursors, clock, newId };
  return {
    resources: new Map([...resources].map(([key, resource]) => [key, actionsOf(runtime, resource)])),
    perform: (call, work) => perform(runtime, call, work),
  };
}

function actionsOf(runtime: Runtime, resource: Resource): ResourceActions {
  const guard = <C extends Call, T>(
    action: Action,
    make: (runtime: Runtime, resource: Resource) => (call: C) => Promise<T>,
  ) => guarded(resource, action, make(runtime, resource));
  return {
    descriptor: resource.descriptor,
    authorize: (action, caller) => authorizeAction(resource, action, caller),
    list: guard('list', listAction),
    get: guard('get', getAction),
    create: guard('create', createAction),
    replace: guard('replace', replaceAction),
    update: guard('update', updateAction),
    delete: guard('delete', deleteAction),
  };
}

function guarded<C extends Call, T>(resource: Resource, action: Action, run: (call: C) => Promise<T>) {
  return async (call: C): Promise<T> => {
    authorizeAction(resource, action, call.caller);
    try {
      return await run(call);
    } catch (error) {
      throw unavailable(error);
    }
  };
}

async function perform<T>(
  runtime: Runtime,
  { reads, ...call }: OperationCall,
  work: (context: OverrideContext) => Promise<T>,
): Promise<T> {
  try {
    if (reads) return await work(readingOnly(runtime).context(call));
    return await inTransaction(runtime, (change) => work(change.context(call)));
  } catch (error) {
    throw unavailable(error);
  }
}
