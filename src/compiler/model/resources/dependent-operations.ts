import { dependenciesOf } from '../../../descriptor/resource.ts';
import { levelsOf, type OperationDraft, type ResourceDraft } from '../draft.ts';

/** The further operations that show only what the caller reads of a resource, or of what belongs to it. */
export const dependentOperations = (
  resources: readonly ResourceDraft[],
  resource: ResourceDraft,
): readonly OperationDraft[] =>
  resources.flatMap((own) =>
    own.further.flatMap((one) => {
      const followed = dependenciesOf(one).map((other) => other.resource);
      const read = followed.length > 0 ? [own, ...followed] : [];
      return read.some((other) => levelsOf(other).includes(resource)) ? [one.operation] : [];
    }),
  );
