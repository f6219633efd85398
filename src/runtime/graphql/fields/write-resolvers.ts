import type { GraphQLResolveInfo } from 'graphql';
import type { DeleteField, WriteField } from '../../../descriptor/graphql.ts';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { Call, Expectation, WriteCall } from '../../engine/interface/call.ts';
import type { Entity, ResourceActions } from '../../engine/interface/engine.ts';
import { toldOfArguments } from './argument-errors.ts';
import type { GraphqlContext } from './context.ts';
import { paramsReader } from './path-params.ts';
import { type Arguments, actionsOf, authorized, type Resolve, type ResolverRuntime } from './resolver-runtime.ts';

type WriteKind = WriteField['kind'];

/** `createProduct(input:)`, `replaceProduct(id:, input:, ifVersion:)`, `updateProduct(id:, input:, ifVersion:)`. */
export function writeResolver(runtime: ResolverRuntime, { kind, resource, params, input }: WriteField): Resolve {
  const actions = actionsOf(runtime, resource);
  const readParams = paramsReader(params);
  const decode = runtime.inputs.of(input, kind === 'update' ? 'patch' : 'whole');
  return async (_source, args, context, info) => {
    const caller = authorized(actions, kind, context);
    try {
      const path = readParams(args);
      actions.checkParams(path);
      const call = { caller, params: path, input: decode(args['input']) };
      return (await write(actions, kind, call, args, context, info)).view;
    } catch (error) {
      throw toldOfArguments(error, { params, input }, args, runtime.descriptor.inputs);
    }
  };
}

function write(
  actions: ResourceActions,
  kind: WriteKind,
  call: WriteCall,
  args: Arguments,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
): MaybePromise<Entity> {
  if (kind === 'create') return actions.create({ ...call, ...idempotencyOf(context, info) });
  return actions[kind]({ ...call, ...expectationOf(args) });
}

/** `deleteProduct(id:, ifVersion:)` answers the id. */
export function deleteResolver(runtime: ResolverRuntime, { resource, params }: DeleteField): Resolve {
  const actions = actionsOf(runtime, resource);
  const { idParameter } = actions.descriptor;
  const readParams = paramsReader(params);
  return async (_source, args, context) => {
    const caller = authorized(actions, 'delete', context);
    try {
      const call: Call = { caller, params: readParams(args) };
      actions.checkParams(call.params);
      await actions.delete({ ...call, ...expectationOf(args) });
      return call.params[idParameter]!.toLowerCase();
    } catch (error) {
      throw toldOfArguments(error, { params }, args, runtime.descriptor.inputs);
    }
  };
}

/** `ifVersion` is what `If-Match` is over REST. */
function expectationOf({ ifVersion }: Arguments): { expect?: Expectation } {
  return ifVersion == null ? {} : { expect: { ifMatch: [ifVersion as number] } };
}

/** One request may create several: each has the request's key with its own name in the answer. */
function idempotencyOf(
  { session }: GraphqlContext,
  { operation, path }: GraphQLResolveInfo,
): { idempotencyKey?: string } {
  if (session.idempotencyKey === undefined) return {};
  const isAlone = operation.selectionSet.selections.length === 1;
  return { idempotencyKey: isAlone ? session.idempotencyKey : `${session.idempotencyKey}/${path.key}` };
}
