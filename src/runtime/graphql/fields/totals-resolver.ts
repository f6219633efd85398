import { conventionNames } from '../../../descriptor/convention-names.ts';
import { totalsOf } from '../../../descriptor/resource.ts';
import { validationFailed } from '../../engine/resource/validated.ts';
import { inArguments } from './argument-errors.ts';
import { type Arguments, paramsReader } from './arguments.ts';
import { integerParameters } from './ids.ts';
import { listNames, queryReaderOf } from './read-resolvers.ts';
import { actionsFor, furtherFieldOf, type ResolverRuntime } from './resolver-runtime.ts';
import type { Resolve } from './resolvers.ts';
import { selectedNodeFields } from './selection.ts';

/** `orderTotals(groupBy:, filter:, search:, sort:, first:, timeZone:)`: its measures are the fields that are selected of a group. */
export function totalsResolver<Answer>(
  runtime: ResolverRuntime,
  resource: string,
  operation: string,
): Resolve<Answer, unknown, object> {
  const { descriptor } = actionsFor(runtime, resource, 'list').actions;
  const totals = runtime.engine.resources.get(resource)?.totals.get(operation);
  const declared = totalsOf(descriptor).find(({ operationId }) => operationId === operation);
  if (!totals || !declared) throw new Error(`${resource} has no totals ${operation}.`);
  const { params, type } = furtherFieldOf(runtime, 'totals', operation);
  const names = conventionNames(descriptor.nameCase);
  const readParams = paramsReader(params, integerParameters(runtime.engine, descriptor));
  const readQuery = queryReaderOf(runtime, descriptor);
  const nameOf = (field: string): string => {
    const known = runtime.descriptor.fields[`${type}.${field}`];
    return known?.kind === 'property' ? known.property : field;
  };
  /** The parameters that no list has, by their arguments. */
  const own = { [names.groupBy]: 'groupBy', [names.timeZone]: 'timeZone', measures: 'nodes' };
  return async (_parent, given, context, info) => {
    const args: Arguments = { ...given };
    const caller = context.session.callerFor(totals.access);
    try {
      const { groupBy, sort, timeZone, ...others } = args;
      const selected = [...selectedNodeFields(info)].map(nameOf);
      checkSelected(
        selected.filter((name) => declared.groups.includes(name)),
        groupBy,
      );
      const measures = selected.filter((name) => declared.measures.includes(name));
      const query = {
        ...readQuery(others, false),
        ...(groupBy != null && { [names.groupBy]: groupBy }),
        ...(measures.length > 0 && { measures }),
        ...(sort != null && { sort }),
        ...(timeZone != null && { [names.timeZone]: timeZone }),
      };
      totals.checkQuery(query);
      const { groups, hasMore } = await totals.read({ caller, params: readParams(args), query });
      return { nodes: groups, [names.hasMore]: hasMore } as Answer;
    } catch (error) {
      const places = { ...listNames(runtime, descriptor, args, params), own };
      throw inArguments(error, places, args, runtime.descriptor.inputs);
    }
  };
}

/** A group that rows are not gathered by has no value. */
function checkSelected(groups: readonly string[], groupBy: unknown): void {
  const asked: readonly unknown[] = Array.isArray(groupBy) ? groupBy : [];
  const stray = groups.filter((name) => !asked.includes(name));
  if (stray.length > 0)
    throw validationFailed(stray.map((name) => ({ argument: 'groupBy', detail: `lacks ${name}, which is selected` })));
}
