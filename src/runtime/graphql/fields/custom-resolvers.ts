import type { GraphQLResolveInfo } from 'graphql';
import type { Access } from '../../../descriptor/access.ts';
import type { FieldHandler, OperationContext, RootFieldHandler } from '../../engine/interface/field-handler.ts';
import type { AnyResources } from '../../engine/interface/untyped.ts';
import { Batch } from './batch.ts';
import type { GraphqlContext } from './context.ts';
import type { ResolverRuntime } from './resolver-runtime.ts';
import type { Resolve } from './resolvers.ts';

type Context = OperationContext<AnyResources>;
/** Hand-written code of a field of the root types, before types. */
export type RootHandler = (args: never, context: Context) => unknown;
/** Hand-written code of a field of any other type, before types: one answer per parent, in their order. */
export type ParentsHandler = (parents: never, args: never, context: Context) => unknown;

/** By type, then field. */
export type FieldHandlers = Readonly<
  Record<string, Readonly<Record<string, RootHandler | ParentsHandler>> | undefined>
>;

/** A field of `Query`, which only reads, or of `Mutation`, which runs in a transaction. */
export function rootResolver<Args, Answer, R>(
  runtime: ResolverRuntime,
  handler: RootFieldHandler<Args, Answer, R>,
): Resolve<Answer, unknown, Args> {
  return (_parent, args, context, info) => {
    const isMutation = info.operation.operation === 'mutation';
    return perform(runtime, accessOf(runtime, info), context, !isMutation, async (work: OperationContext<R>) =>
      handler(args, work),
    );
  };
}

/** A field of any other type: all its parents of one level at once. */
export function fieldResolver<Parent, Args, Answer, R>(
  runtime: ResolverRuntime,
  handler: FieldHandler<Parent, Args, Answer, R>,
): Resolve<Answer, Parent, Args> {
  return async (parent, args, context, info) => {
    const batch = context.batches.of<Parent, Answer>(info.fieldNodes[0]!, () => {
      const { name } = info.parentType;
      const access = accessOf(runtime, info);
      return new Batch(async (parents) => {
        const given = parents.map((one) => plain(runtime, name, one));
        const answers = await perform(runtime, access, context, true, async (work: OperationContext<R>) =>
          handler(given, args, work),
        );
        if (answers.length === parents.length) return answers;
        throw new Error(`A handler of ${name} answered ${answers.length} values for ${parents.length} parents.`);
      });
    });
    return batch.load(parent);
  };
}

/** What the field asks of its callers. */
function accessOf({ descriptor }: ResolverRuntime, { parentType, fieldName }: GraphQLResolveInfo): Access {
  const field = descriptor.fields[`${parentType.name}.${fieldName}`];
  if (field?.kind !== 'custom') throw new Error(`${parentType.name}.${fieldName} takes no code.`);
  return field.access;
}

function perform<T, R>(
  { engine }: ResolverRuntime,
  access: Access,
  { session }: GraphqlContext,
  reads: boolean,
  work: (context: OperationContext<R>) => Promise<T>,
): Promise<T> {
  const call = { caller: session.callerFor(access), params: {}, reads };
  return engine.perform(call, (context) => work(context as OperationContext<R>));
}

/** Handlers get plain objects, not views of rows. */
function plain<Parent>({ engine, descriptor }: ResolverRuntime, type: string, parent: Parent): Parent {
  const resource = engine.resources.get(descriptor.types[type] ?? '');
  if (!resource) return parent;
  const names = resource.descriptor.properties.map(({ name }) => name as keyof Parent);
  return Object.fromEntries(names.map((name) => [name, parent[name]])) as Parent;
}
