import type { GraphQLResolveInfo } from 'graphql';
import { type MaybePromise, whenKnown } from '../../async/maybe-promise.ts';
import type { Call, Expectation, WriteCall } from '../../engine/interface/call.ts';
import type { Entity, ResourceActions } from '../../engine/interface/engine.ts';
import { inArguments } from './argument-errors.ts';
import { collectionArguments, resourceArguments } from './argument-names.ts';
import type { GraphqlContext } from './context.ts';
import { integerParameters } from './ids.ts';
import { paramsReader } from './path-params.ts';
import { type Arguments, actionsFor, callerFor, type ResolverRuntime } from './resolver-runtime.ts';
import type { Resolve } from './resolvers.ts';

type WriteAction = 'create' | 'replace' | 'update';

/** `createProduct(input:)`, `replaceProduct(id:, input:, ifVersion:)`, `updateProduct(id:, input:, ifVersion:)`. */
export function writeResolver<Row>(
  runtime: ResolverRuntime,
  resource: string,
  action: WriteAction,
): Resolve<Row, unknown, object> {
  const actions = actionsFor<Row>(runtime, resource, action);
  const { descriptor } = actions;
  const params = action === 'create' ? collectionArguments(descriptor) : resourceArguments(descriptor);
  const input = action === 'update' ? descriptor.schemas.patch! : descriptor.schemas.input!;
  const readParams = paramsReader(params, integerParameters(runtime.engine, actions.descriptor));
  const decode = runtime.inputs.of(input, action === 'update' ? 'patch' : 'whole');
  return async (_parent, given, context, info) => {
    const args = given as Arguments;
    const caller = callerFor(actions, action, context);
    try {
      const path = readParams(args);
      actions.checkParams(path);
      const call = { caller, params: path, input: decode(args['input']) };
      return (await write(actions, action, call, args, context, info)).view;
    } catch (error) {
      throw inArguments(error, { params, input }, args, runtime.descriptor.inputs);
    }
  };
}

function write<Row>(
  actions: ResourceActions<Row>,
  action: WriteAction,
  call: WriteCall,
  args: Arguments,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
): MaybePromise<Entity<Row>> {
  switch (action) {
    case 'create':
      return actions.create({ ...call, ...idempotencyOf(context, info) });
    case 'replace':
      return whenKnown(actions.replace({ ...call, ...expectationOf(args) }), ({ entity }) => entity);
    case 'update':
      return actions.update({ ...call, ...expectationOf(args) });
  }
}

/** `deleteProduct(id:, ifVersion:)`. Resolves to the id. */
export function deleteResolver(runtime: ResolverRuntime, resource: string): Resolve<string, unknown, object> {
  const actions = actionsFor(runtime, resource, 'delete');
  const { idParameter } = actions.descriptor;
  const params = resourceArguments(actions.descriptor);
  const readParams = paramsReader(params, integerParameters(runtime.engine, actions.descriptor));
  return async (_parent, given, context) => {
    const args = given as Arguments;
    const caller = callerFor(actions, 'delete', context);
    try {
      const call: Call = { caller, params: readParams(args) };
      actions.checkParams(call.params);
      await actions.delete({ ...call, ...expectationOf(args) });
      return String(actions.idOf(call.params[idParameter]!));
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
function idempotencyOf(
  { session }: GraphqlContext,
  { operation, path }: GraphQLResolveInfo,
): { idempotencyKey?: string } {
  if (session.idempotencyKey === undefined) return {};
  const isAlone = operation.selectionSet.selections.length === 1;
  return { idempotencyKey: isAlone ? session.idempotencyKey : `${session.idempotencyKey}/${path.key}` };
}
