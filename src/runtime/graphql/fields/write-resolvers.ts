import { type MaybePromise, whenKnown } from '../../async/maybe-promise.ts';
import type { Call, Expectation, WriteCall } from '../../engine/interface/call.ts';
import type { Entity, ResourceActions } from '../../engine/interface/engine.ts';
import { inArguments } from './argument-errors.ts';
import { inputTypeOf, pathArguments } from './argument-names.ts';
import { type Arguments, paramsReader } from './arguments.ts';
import { integerParameters } from './ids.ts';
import { actionsFor, type ResolverRuntime } from './resolver-runtime.ts';
import type { Resolve } from './resolvers.ts';

type WriteAction = 'create' | 'replace' | 'update';

/** `replaceProduct(id:, input:, ifVersion:, ifAbsent:)`, `updateProduct(id:, input:, ifVersion:)`. */
export function rewriteResolver<Row>(
  runtime: ResolverRuntime,
  resource: string,
  action: 'replace' | 'update',
): Resolve<Row, unknown, object> {
  const { actions, access, params, input, readParams, decode } = writePartsOf<Row>(runtime, resource, action);
  const write = action === 'update' ? actions.update : replacing(actions);
  return async (_parent, given, context) => {
    const args = given as Arguments;
    const caller = context.session.callerFor(access);
    try {
      const call: WriteCall = {
        caller,
        params: readParams(args),
        input: decode(args['input']),
        ...expectationOf(args),
      };
      actions.checkParams(call.params, action, call.input);
      return (await write(call)).view;
    } catch (error) {
      throw inArguments(error, { params, input }, args, runtime.descriptor.inputs);
    }
  };
}

const replacing =
  <Row>({ replace }: ResourceActions<Row>) =>
  (call: WriteCall): MaybePromise<Entity<Row>> =>
    whenKnown(replace(call), ({ entity }) => entity);

/** What the resolver of a write with an input is made of. */
export function writePartsOf<Row>(runtime: ResolverRuntime, resource: string, action: WriteAction) {
  const { actions, access } = actionsFor<Row>(runtime, resource, action);
  const { descriptor } = actions;
  const params = pathArguments(runtime.fields, descriptor, action);
  const input = inputTypeOf(runtime.fields, descriptor, action);
  return {
    actions,
    access,
    params,
    input,
    readParams: paramsReader(params, integerParameters(runtime.engine, descriptor)),
    decode: runtime.inputs.of(input, action === 'update' ? 'patch' : 'whole'),
  };
}

/** `deleteProduct(id:, ifVersion:)`. Resolves to the id. */
export function deleteResolver(runtime: ResolverRuntime, resource: string): Resolve<string, unknown, object> {
  const { actions, access } = actionsFor(runtime, resource, 'delete');
  const params = pathArguments(runtime.fields, actions.descriptor, 'delete');
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
