import type { ParamArguments } from '../../../descriptor/graphql.ts';
import type { PathParams } from '../../engine/interface/call.ts';
import type { Arguments } from './resolver-runtime.ts';

/** Reads path parameters from arguments. */
export function paramsReader(params: ParamArguments): (args: Arguments) => PathParams {
  const pairs = Object.entries(params);
  return (args) => {
    const read: Record<string, string> = {};
    for (const [argument, parameter] of pairs) read[parameter] = args[argument] as string;
    return read;
  };
}
