import { lookUp } from '../../../descriptor/look-up.ts';
import { type LinkRole, linksOf } from '../../../descriptor/resource.ts';
import { operationWithId } from '../../../descriptor/rest.ts';
import { inArguments } from './argument-errors.ts';
import { type Arguments, paramsReader } from './arguments.ts';
import { integerParameters } from './ids.ts';
import { furtherFieldOf, type ResolverRuntime } from './resolver-runtime.ts';
import type { Resolve } from './resolvers.ts';

/** `linkIssueLabel(issueId:, labelId:)` and `unlinkIssueLabel`: true, also where nothing has changed. */
export function linkResolver<Answer>(
  runtime: ResolverRuntime,
  resource: string,
  operation: string,
  role: LinkRole,
): Resolve<Answer, unknown, object> {
  const { resources } = runtime.engine;
  const actions = lookUp(resources, resource);
  const { access, run } = lookUp(actions.links, operation);
  const { ends, parameter } = operationWithId(linksOf(actions.descriptor), operation);
  const [above, linked] = ends;
  const ofLinked = lookUp(resources, linked.resource).descriptor;
  const integers = new Set(integerParameters(runtime.engine, lookUp(resources, above.resource).descriptor));
  if (integerParameters(runtime.engine, ofLinked).has(ofLinked.idParameter)) integers.add(parameter);
  const { params } = furtherFieldOf(runtime, role, operation);
  const readParams = paramsReader(params, integers);
  return async (_parent, given, context) => {
    const args: Arguments = { ...given };
    const caller = context.session.callerFor(access);
    try {
      const call = { caller, params: readParams(args) };
      actions.checkParams(call.params);
      await run(call);
      return true as Answer;
    } catch (error) {
      throw inArguments(error, { params }, args, runtime.descriptor.inputs);
    }
  };
}
