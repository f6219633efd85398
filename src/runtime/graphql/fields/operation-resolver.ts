import type { GraphQLResolveInfo } from 'graphql';
import { type CustomField, partsOfCoordinate } from '../../../descriptor/graphql.ts';
import { ROOTS } from '../../../descriptor/wiring-plan.ts';
import type { TenantGroup } from '../../engine/interface/engine.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { CodeAnswer } from '../../operations/code-answer.ts';
import type { Inputs } from '../../operations/input-check.ts';
import type { Operation } from '../../operations/operation.ts';
import { checkAnswer } from './answer-check.ts';
import { withArguments } from './argument-errors.ts';
import type { Arguments } from './arguments.ts';
import { Batch, batchOf } from './batch.ts';
import { tenantGroupsOf } from './custom-resolvers.ts';
import { argumentOf, inputsReader, type ReadInputs } from './operation-inputs.ts';
import type { ResolverRuntime } from './resolver-runtime.ts';
import type { Resolve } from './resolvers.ts';

interface OperationSite {
  readonly field: CustomField;
  readonly isRoot: boolean;
  readonly read: ReadInputs;
}

/**
 * The field of an operation: its arguments become the inputs of the operation, whose answer it shows without status and header
 * fields. On any other type than a root it is called for all parents of a level at once, apart from those of other tenants.
 */
export function operationResolver<Answer>(
  runtime: ResolverRuntime,
  operation: Operation,
): Resolve<Answer, unknown, object> {
  const { descriptor, inputs: decoders } = runtime;
  const sites = new Map<string, OperationSite>();
  for (const [coordinate, field] of runtime.operationFields.get(operation.operationId) ?? [])
    sites.set(coordinate, {
      field,
      isRoot: ROOTS.includes(partsOfCoordinate(coordinate).type),
      read: inputsReader(field, decoders),
    });
  return async (parent, given, context, info) => {
    const args = given as Arguments;
    const { field, isRoot, read } = siteOf(sites, info);
    const caller = context.session.callerFor(field.access);
    const translate = translatorOf(info, operation.isSilent || null, isRoot && info.operation.operation === 'mutation');
    const inputsOf = (one: unknown): Inputs | null => {
      const inputs = read(args, one);
      if (inputs) operation.check(inputs);
      return inputs;
    };
    try {
      if (isRoot) return (await operation.run(caller, inputsOf(undefined) ?? {}, translate)) as Answer;
      const batch = batchOf<unknown, unknown>(context.batches, info.fieldNodes[0]!, () => {
        const { name } = info.parentType;
        return new Batch(async (parents) => {
          const inputs = parents.map((one) => attempt(() => inputsOf(one)));
          const answers: unknown[] = [...inputs];
          const answer = async ({ scope, positions }: TenantGroup): Promise<void> => {
            const called = positions.filter((at) => inputs[at] !== null && !(inputs[at] instanceof ApiError));
            if (called.length === 0) return;
            const given = called.map((at) => inputs[at] as Inputs);
            const own = await operation.runEach(caller, given, translate, scope);
            for (const [i, at] of called.entries()) answers[at] = own[i];
          };
          await Promise.all((await tenantGroupsOf(runtime, name, caller, parents)).map(answer));
          return answers;
        });
      });
      return (await batch.load(parent)) as Answer;
    } catch (error) {
      throw withArguments(error, (fault) => argumentOf(fault, field, args, descriptor.inputs));
    }
  };
}

function siteOf(
  sites: ReadonlyMap<string, OperationSite>,
  { parentType, fieldName }: GraphQLResolveInfo,
): OperationSite {
  const site = sites.get(`${parentType.name}.${fieldName}`);
  if (!site) throw new Error(`${parentType.name}.${fieldName} is not a field of this operation.`);
  return site;
}

function attempt<T>(work: () => T): T | ApiError {
  try {
    return work();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** The value of an answer: true of what never has content, and null of a success without it beside others. */
function translatorOf(
  { returnType, parentType, fieldName }: GraphQLResolveInfo,
  nothing: true | null,
  isWrite: boolean,
): (answer: CodeAnswer) => unknown {
  return ({ body }) => {
    const value = body === undefined ? nothing : body;
    if (isWrite) checkAnswer(returnType, value, `${parentType.name}.${fieldName}`);
    return value;
  };
}
