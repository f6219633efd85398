import type { Access } from '../../../descriptor/access.ts';
import type { CustomField } from '../../../descriptor/graphql.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import { authorize } from '../../auth/authorize.ts';
import type { OverrideContext } from '../../engine/interface/untyped.ts';
import { Batch } from './batch.ts';
import type { GraphqlContext } from './context.ts';
import { type Arguments, actionsOf, type Resolve, type ResolverRuntime, type Source } from './resolver-runtime.ts';

/** Hand-written code of a field of the root types. */
export type RootFieldHandler = (args: never, context: OverrideContext) => unknown;

/** Hand-written code of a field of any other type: one answer per parent, in their order. */
export type FieldHandler = (parents: never, args: never, context: OverrideContext) => unknown;

/** By type, then field. */
export type FieldHandlers = Readonly<
  Record<string, Readonly<Record<string, RootFieldHandler | FieldHandler>> | undefined>
>;

/** A field of `Query` (which only reads) or `Mutation` (which runs in a transaction). */
export function rootResolver(
  runtime: ResolverRuntime,
  { access }: CustomField,
  handler: RootFieldHandler,
  reads: boolean,
): Resolve {
  return (_source, args, context) =>
    perform(runtime, access, context, reads, async (work) => handler(args as never, work));
}

/** A field of any other type: all its parents of one level at once. */
export function fieldResolver(
  runtime: ResolverRuntime,
  { access }: CustomField,
  handler: FieldHandler,
  type: string,
): Resolve {
  const valuesOf = valuesReader(runtime, type);
  return async (source, args, context, { fieldNodes }) => {
    const batch = context.batches.of(
      fieldNodes[0]!,
      () => new Batch((parents: readonly Source[]) => answers(parents, args, context)),
    );
    return batch.load(source);
  };

  async function answers(parents: readonly Source[], args: Arguments, context: GraphqlContext) {
    const given = parents.map(valuesOf);
    const answered = (await perform(runtime, access, context, true, async (work) =>
      handler(given as never, args as never, work),
    )) as readonly unknown[];
    if (answered.length !== parents.length)
      throw new Error(`A handler of ${type} answered ${answered.length} values for ${parents.length} parents.`);
    return answered;
  }
}

function perform<T>(
  { engine }: ResolverRuntime,
  access: Access,
  { session }: GraphqlContext,
  reads: boolean,
  work: (context: OverrideContext) => Promise<T>,
): Promise<T> {
  const caller = session.callerFor(access);
  authorize(access, caller.principal);
  return engine.perform({ caller, params: {}, reads }, work);
}

/** Handlers get plain objects, not views of rows. */
function valuesReader(runtime: ResolverRuntime, type: string): (source: Source) => Source {
  const key = runtime.descriptor.types[type];
  if (key === undefined) return (source) => source;
  const { properties }: ResourceDescriptor = actionsOf(runtime, key).descriptor;
  return (source) => Object.fromEntries(properties.map(({ name }) => [name, source[name]]));
}
