import { type AllowedMethods, allowOf } from '../http/allowed-methods.ts';
import type { RestOperation } from './operation.ts';
import { pathPatternOf, routePathOf } from './parameters/route-path.ts';

/** The methods that operations declare below a base path, and HEAD where they declare GET; fixed paths come first. */
export function allowedMethods(operations: readonly RestOperation[], basePath: string): readonly AllowedMethods[] {
  const byPath = new Map<string, Set<string>>();
  for (const { path, method } of operations) {
    const served = byPath.get(path) ?? new Set();
    byPath.set(path, served.add(method.toUpperCase()));
    if (method === 'get') served.add('HEAD');
  }
  return [...byPath]
    .sort(([a], [b]) => countParameters(a) - countParameters(b))
    .map(([path, served]) => ({
      url: basePath + routePathOf(path),
      pattern: pathPatternOf(basePath + path),
      served,
      allow: allowOf(served),
    }));
}

const countParameters = (path: string): number => path.split('{').length;
