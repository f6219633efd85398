import { nestedOf, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { Report } from './change-sentences.ts';

/**
 * Differences in what joins the rows of a list to the one above: callers get other rows. `isServed`: whether there is the
 * operation still; one that is gone is reported as such.
 */
export function throughChanges(
  old: ResourceDescriptor,
  now: ResourceDescriptor,
  isServed: (operationId: string) => boolean,
  report: Report,
): void {
  const kept = new Set(nestedOf(now).map(({ operationId }) => operationId));
  for (const { operationId, join } of nestedOf(old))
    if (!kept.has(operationId) && isServed(operationId))
      report('major', 'through-changed', { keyword: operationId, from: `\`${join}\`` });
  const before = new Map(nestedOf(old).map((through) => [through.operationId, through]));
  for (const { operationId, join, from, to } of nestedOf(now)) {
    const known = before.get(operationId);
    if (!known || (known.join === join && known.from === from && known.to === to)) continue;
    report('major', 'through-changed', {
      keyword: operationId,
      from: `\`${known.join}\` by \`${known.from}\` and \`${known.to}\``,
      to: `\`${join}\` by \`${from}\` and \`${to}\``,
    });
  }
}
