import type { OperationDescriptor } from '../../descriptor/rest.ts';
import { sentShape } from '../../descriptor/sent-path.ts';
import { type AllowedMethods, allowOf } from '../http/allowed-methods.ts';
import { routePathOf } from './parameters/route-path.ts';

/** The methods that operations declare below a base path, and HEAD where they declare GET. */
export function allowedMethods(
  operations: readonly OperationDescriptor[],
  basePath: string,
  common: readonly string[] = [],
): readonly Omit<AllowedMethods, 'replyProblem'>[] {
  const byShape = new Map<string, readonly [path: string, takes: Map<string, readonly string[]>]>();
  for (const operation of operations) {
    const { path, method } = operation;
    const shape = sentShape(path);
    const [, taken] = byShape.get(shape) ?? byShape.set(shape, [path, new Map()]).get(shape)!;
    const fields = fieldsTaken(operation, common);
    taken.set(method.toUpperCase(), fields);
    if (method === 'get') taken.set('HEAD', fields);
  }
  return [...byShape.values()].map(([path, takes]) => {
    const served = new Set(takes.keys());
    return { url: basePath + routePathOf(path), served, allow: allowOf(served), takes };
  });
}

/** What an operation reads of a request's header fields; media types that browsers send without asking aside. */
function fieldsTaken(
  { method, parameters, requestBody, responses }: OperationDescriptor,
  common: readonly string[],
): readonly string[] {
  const declared = parameters.flatMap(({ in: place, name }) => (place === 'header' ? [name] : []));
  // A replacement that may create takes `If-None-Match: *`, which then creates only.
  const creates = method === 'put' && '201' in responses ? ['If-None-Match'] : [];
  return [...new Set([...common, ...(requestBody ? ['Content-Type'] : []), ...declared, ...creates])];
}
