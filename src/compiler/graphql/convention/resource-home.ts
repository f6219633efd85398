import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import { parameterOf, pathSegments } from '../../model/naming.ts';

/** The last word of a resource's path, after which the file is named that has what belongs to it. */
export const homeOf = ({ path }: ResourceDescriptor): string | undefined =>
  pathSegments(path).findLast((segment) => parameterOf(segment) === undefined);

/** The resource below whose path another path stands; the nearest of several. */
export function resourceAbove(resources: readonly ResourceDescriptor[], path: string): ResourceDescriptor | undefined {
  return resources
    .filter((one) => `${path}/`.startsWith(`${one.path}/`))
    .toSorted((a, b) => b.path.length - a.path.length)[0];
}
