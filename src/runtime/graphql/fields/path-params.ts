import type { ParamArguments } from '../../../descriptor/graphql.ts';
import type { Id } from '../../../descriptor/resource.ts';
import type { PathParams } from '../../engine/interface/call.ts';
import { integerOf } from './ids.ts';
import type { Arguments } from './resolver-runtime.ts';

/** Reads path parameters from arguments. `integers` names those whose ids are integers. */
export function paramsReader(params: ParamArguments, integers: ReadonlySet<string>): (args: Arguments) => PathParams {
  const places = Object.entries(params).map(([argument, parameter]) => ({
    argument,
    parameter,
    isInteger: integers.has(parameter),
  }));
  return (args) => {
    const read: Record<string, Id> = {};
    for (const { argument, parameter, isInteger } of places) {
      const given = args[argument] as Id | null | undefined;
      if (given == null) continue;
      read[parameter] = isInteger ? (integerOf(given) as Id) : given;
    }
    return read;
  };
}
