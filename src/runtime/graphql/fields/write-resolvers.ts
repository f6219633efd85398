import type { GraphQLResolveInfo } from 'graphql';
import { type MaybePromise, whenKnown } from '../../async/maybe-promise.ts';
import type { Call, Expectation, WriteCall } from '../../engine/interface/call.ts';
import type { Created, Entity, ResourceActions } from '../../engine/interface/engine.ts';
import { ApiError } from '../../errors/api-error.ts';
import { inArguments } from './argument-errors.ts';
import { inputTypeOf, pathArguments } from './argument-names.ts';
import { type Arguments, type Decode, paramsReader } from './arguments.ts';
import type { GraphqlContext } from './context.ts';
import { integerParameters } from './ids.ts';
import { actionsFor, type ResolverRuntime } from './resolver-runtime.ts';
import type { Resolve } from './resolvers.ts';
import { selectedFields } from './selection.ts';
import { sentInput } from './sent-input.ts';

type WriteAction = 'create' | 'replace' | 'update';

/** `createProduct(input:)`, `replaceProduct(id:, input:, ifVersion:)`, `updateProduct(id:, input:, ifVersion:)`. */
export function writeResolver<Row>(
  runtime: ResolverRuntime,
  resource: string,
  action: WriteAction,
): Resolve<Row, unknown, object> {
  const { actions, access } = actionsFor<Row>(runtime, resource, action);
  const { descriptor } = actions;
  const params = pathArguments(runtime.descriptor, descriptor, action);
  const input = inputTypeOf(runtime.descriptor, descriptor, action);
  const readParams = paramsReader(params, integerParameters(runtime.engine, actions.descriptor));
  const decode = runtime.inputs.of(input, action === 'update' ? 'patch' : 'whole');
  return async (_parent, given, context, info) => {
    const args = given as Arguments;
    const caller = context.session.callerFor(access);
    try {
      const path = readParams(args);
      const call = { caller, params: path, input: decode(args['input']) };
      actions.checkParams(path, action, call.input);
      if (action !== 'create') return (await write(actions, action, call, args)).view;
      return await create(actions, call, { args, decode, context, info });
    } catch (error) {
      throw inArguments(error, { params, input }, args, runtime.descriptor.inputs);
    }
  };
}

function write<Row>(
  actions: ResourceActions<Row>,
  action: 'replace' | 'update',
  call: WriteCall,
  args: Arguments,
): MaybePromise<Entity<Row>> {
  if (action === 'update') return actions.update({ ...call, ...expectationOf(args) });
  return whenKnown(actions.replace({ ...call, ...expectationOf(args) }), ({ entity }) => entity);
}

interface Creation {
  readonly args: Arguments;
  readonly decode: Decode;
  readonly context: GraphqlContext;
  readonly info: GraphQLResolveInfo;
}

/** What an idempotency key was answered before is what is selected from. */
async function create<Row>(
  actions: ResourceActions<Row>,
  call: WriteCall,
  { args, decode, context, info }: Creation,
): Promise<Row> {
  const idempotencyKey = idempotencyKeyOf(context, info);
  if (idempotencyKey === undefined) return (await actions.create(call)).view;
  const sent = decode(sentInput(args['input'], info, context.variables));
  const created = await actions.create({ ...call, idempotencyKey, sent });
  if (created.misfits.size > 0) refuseMisfits(created, info);
  return created.view;
}

/** Throws `IDEMPOTENCY_KEY_REUSED` when properties are selected that the kept answer cannot give. */
function refuseMisfits({ id, misfits }: Created<unknown>, info: GraphQLResolveInfo): void {
  const missing = [...selectedFields(info)].filter((name) => misfits.has(name));
  if (missing.length === 0) return;
  const names = missing.join(', ');
  throw new ApiError('IDEMPOTENCY_KEY_REUSED', {
    detail: `What was answered for this key does not have ${names} as the contract does now: select without, or read ${id}.`,
  });
}

/** `deleteProduct(id:, ifVersion:)`. Resolves to the id. */
export function deleteResolver(runtime: ResolverRuntime, resource: string): Resolve<string, unknown, object> {
  const { actions, access } = actionsFor(runtime, resource, 'delete');
  const params = pathArguments(runtime.descriptor, actions.descriptor, 'delete');
  const readParams = paramsReader(params, integerParameters(runtime.engine, actions.descriptor));
  return async (_parent, given, context) => {
    const args = given as Arguments;
    const caller = context.session.callerFor(access);
    try {
      const call: Call = { caller, params: readParams(args) };
      actions.checkParams(call.params);
      return String(await actions.delete({ ...call, ...expectationOf(args) }));
    } catch (error) {
      throw inArguments(error, { params }, args, runtime.descriptor.inputs);
    }
  };
}

/** `ifVersion` corresponds to `If-Match` over REST, `ifAbsent` to `If-None-Match: *`. */
function expectationOf({ ifVersion, ifAbsent }: Arguments): { expect?: Expectation } {
  if (ifVersion == null && !ifAbsent) return {};
  return {
    expect: {
      ...(ifVersion != null && { ifMatch: [ifVersion as number] }),
      ...(ifAbsent === true && { ifNoneMatch: 'any' }),
    },
  };
}

/** A request may create several resources: each has the request's key with its own response name. */
function idempotencyKeyOf(
  { session: { idempotencyKey } }: GraphqlContext,
  { operation, path }: GraphQLResolveInfo,
): string | undefined {
  const isAlone = operation.selectionSet.selections.length === 1;
  return idempotencyKey === undefined || isAlone ? idempotencyKey : `${idempotencyKey}/${path.key}`;
}
