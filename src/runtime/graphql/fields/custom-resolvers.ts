import type { GraphQLResolveInfo } from 'graphql';
import type { Access } from '../../../descriptor/access.ts';
import { ownMember } from '../../../descriptor/look-up.ts';
import type { Id } from '../../../descriptor/resource.ts';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { Caller } from '../../engine/interface/call.ts';
import type { TenantGroup } from '../../engine/interface/engine.ts';
import type { FieldHandler, OperationContext, RootFieldHandler } from '../../engine/interface/field-handler.ts';
import type { AnyResources } from '../../engine/interface/untyped.ts';
import { checkAnswer } from './answer-check.ts';
import { Batch, batchOf } from './batch.ts';
import type { GraphqlContext } from './context.ts';
import type { ResolverRuntime } from './resolver-runtime.ts';
import type { Answered, Resolve } from './resolvers.ts';

type Context = OperationContext<AnyResources>;
/** Untyped hand-written code for a field of the root types. */
type RootHandler = (args: never, context: Context) => unknown;
/** Untyped hand-written code for a field of any other type: returns a value for each parent, in their order. */
type ParentsHandler = (parents: never, args: never, context: Context) => unknown;

/** By type, then field. */
export type FieldHandlers = Readonly<
  Record<string, Readonly<Record<string, RootHandler | ParentsHandler>> | undefined>
>;

/** A field of `Query`, which only reads, or of `Mutation`, which runs in a transaction. */
export function rootResolver<Args, Answer, R>(
  runtime: ResolverRuntime,
  handler: RootFieldHandler<Args, Answer, R>,
): Resolve<Answered<Answer>, unknown, Args> {
  return (_parent, args, context, info) => {
    const isMutation = info.operation.operation === 'mutation';
    return perform(runtime, accessOf(runtime, info), context, !isMutation, async (work: OperationContext<R>) => {
      const answer = await handler(args, work);
      if (isMutation) checkAnswer(info.returnType, answer, `Mutation.${info.fieldName}`);
      return answer;
    }) as Promise<Answered<Answer>>;
  };
}

/** A field of any other type, for all parents of a level together, but for those of other tenants. */
export function fieldResolver<Parent, Args, Answer, R>(
  runtime: ResolverRuntime,
  handler: FieldHandler<Parent, Args, Answer, R>,
): Resolve<Answered<Answer>, Parent, Args> {
  return async (parent, args, context, info) => {
    const batch = batchOf<Parent, Answer>(context.batches, info.fieldNodes[0]!, () => {
      const { name } = info.parentType;
      const access = accessOf(runtime, info);
      return new Batch(async (parents) => {
        const answers = new Array<Answer>(parents.length);
        const answer = async ({ scope, positions }: TenantGroup): Promise<void> => {
          const given = positions.map((at) => plain(runtime, name, parents[at]!));
          const work = async (own: OperationContext<R>) => handler(given, args, own);
          const own = await perform(runtime, access, context, true, work, scope);
          if (own.length !== given.length)
            throw new Error(`A handler of ${name} returned ${own.length} values for ${given.length} parents.`);
          for (const [i, at] of positions.entries()) answers[at] = own[i]!;
        };
        const groups = await tenantGroupsOf(runtime, name, context.session.callerFor(access), parents);
        await Promise.all(groups.map(answer));
        return answers;
      });
    });
    return batch.load(parent) as Promise<Answered<Answer>>;
  };
}

/** The access of a custom field. */
function accessOf({ descriptor }: ResolverRuntime, { parentType, fieldName }: GraphQLResolveInfo): Access {
  const field = descriptor.fields[`${parentType.name}.${fieldName}`];
  if (field?.kind !== 'custom') throw new Error(`${parentType.name}.${fieldName} is not a custom field.`);
  return field.access;
}

function perform<T, R>(
  { engine }: ResolverRuntime,
  access: Access,
  { session }: GraphqlContext,
  reads: boolean,
  work: (context: OperationContext<R>) => Promise<T>,
  scope?: TenantGroup['scope'],
): Promise<T> {
  const call = { caller: session.callerFor(access), params: {}, reads, scope };
  return engine.perform(call, (context) => work(context as unknown as OperationContext<R>));
}

/** Parents of a type by their tenants, where those are several. */
export function tenantGroupsOf(
  { engine, descriptor }: Pick<ResolverRuntime, 'engine' | 'descriptor'>,
  type: string,
  caller: Caller,
  parents: readonly unknown[],
): MaybePromise<readonly TenantGroup[]> {
  const ids = parents.map((parent) => Object(parent).id as Id);
  return engine.tenantGroups(caller, ownMember(descriptor.types, type), ids);
}

/** Converts the view of a row to a plain object for handlers. */
function plain<Parent>({ engine, descriptor }: ResolverRuntime, type: string, parent: Parent): Parent {
  const resource = engine.resources.get(ownMember(descriptor.types, type) ?? '');
  if (!resource) return parent;
  const names = resource.descriptor.properties.map(({ name }) => name as keyof Parent);
  return Object.fromEntries(names.map((name) => [name, parent[name]])) as Parent;
}
