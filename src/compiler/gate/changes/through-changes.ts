import { linksOf, nestedOf, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { Report } from './change-sentences.ts';

/** The lists and links of a resource, and what joins their rows. */
const joinedBy = (resource: ResourceDescriptor) => [
  ...nestedOf(resource),
  ...linksOf(resource).map(({ operationId, ends: [above, linked] }) => ({
    ...{ operationId, join: resource.key, from: above.property, to: linked.property },
  })),
];

/**
 * Differences in what joins the rows of a list, or of a link, to the one above: callers get other rows. `isServed`: whether there is the
 * operation still; one that is gone is reported as such.
 */
export function throughChanges(
  old: ResourceDescriptor,
  now: ResourceDescriptor,
  isServed: (operationId: string) => boolean,
  report: Report,
): void {
  const kept = new Set(joinedBy(now).map(({ operationId }) => operationId));
  for (const { operationId, join } of joinedBy(old))
    if (!kept.has(operationId) && isServed(operationId))
      report('major', 'through-changed', { keyword: operationId, from: `\`${join}\`` });
  const before = new Map(joinedBy(old).map((through) => [through.operationId, through]));
  for (const { operationId, join, from, to } of joinedBy(now)) {
    const known = before.get(operationId);
    if (!known || (known.join === join && known.from === from && known.to === to)) continue;
    report('major', 'through-changed', {
      keyword: operationId,
      from: `\`${known.join}\` by \`${known.from}\` and \`${known.to}\``,
      to: `\`${join}\` by \`${from}\` and \`${to}\``,
    });
  }
}
