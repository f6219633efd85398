import { throughsOf } from '../../../descriptor/resource.ts';
import { levelsOf, type OperationDraft, type ResourceDraft } from '../draft.ts';

/** The lists through other resources that show only what the caller reads of a resource, or of what belongs to it. */
export function throughsReading(
  resources: readonly ResourceDraft[],
  resource: ResourceDraft,
): readonly OperationDraft[] {
  const throughs = resources.flatMap((listed) => throughsOf(listed).map((through) => ({ ...through, listed })));
  return throughs
    .filter(({ listed, join, below }) => [listed, join, below].some((one) => levelsOf(one).includes(resource)))
    .map(({ operation }) => operation);
}
