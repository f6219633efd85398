import type { GraphQLResolveInfo } from 'graphql';
import type { Created } from '../../engine/interface/engine.ts';
import { ApiError } from '../../errors/api-error.ts';
import { inArguments } from './argument-errors.ts';
import type { Arguments } from './arguments.ts';
import type { GraphqlContext } from './context.ts';
import type { ResolverRuntime } from './resolver-runtime.ts';
import type { Resolve } from './resolvers.ts';
import { selectedFields } from './selection.ts';
import { sentInput } from './sent-input.ts';
import { writePartsOf } from './write-resolvers.ts';

/** `createProduct(input:)`. What an idempotency key was answered before is what is selected from. */
export function createResolver<Row>(runtime: ResolverRuntime, resource: string): Resolve<Row, unknown, object> {
  const { actions, access, params, input, readParams, decode } = writePartsOf<Row>(runtime, resource, 'create');
  return async (_parent, given, context, info) => {
    const args = given as Arguments;
    const caller = context.session.callerFor(access);
    try {
      const call = { caller, params: readParams(args), input: decode(args['input']) };
      actions.checkParams(call.params, 'create', call.input);
      const idempotencyKey = idempotencyKeyOf(context, info);
      if (idempotencyKey === undefined) return (await actions.create(call)).view;
      const sent = decode(sentInput(args['input'], info, context.variables));
      const created = await actions.create({ ...call, idempotencyKey, sent });
      if (created.misfits.size > 0) refuseMisfits(created, info);
      return created.view;
    } catch (error) {
      throw inArguments(error, { params, input }, args, runtime.descriptor.inputs);
    }
  };
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

/** A request may create several resources: each has the request's key with its own response name. */
export function idempotencyKeyOf(
  { session: { idempotencyKey } }: GraphqlContext,
  { operation, path }: GraphQLResolveInfo,
): string | undefined {
  const isAlone = operation.selectionSet.selections.length === 1;
  return idempotencyKey === undefined || isAlone ? idempotencyKey : `${idempotencyKey}/${path.key}`;
}
