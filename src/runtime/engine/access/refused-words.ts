import type { OwnerRule, ResourceDescriptor } from '../../../descriptor/resource.ts';
import { accessSentence } from '../../../descriptor/row-access-words.ts';
import type { Refusals } from '../resource/refusals.ts';
import { verdictsOn } from './verdicts.ts';

/** The words on the rules of a resource; `descriptors` are those of all resources, by key. */
export function refusalsOf(
  { key, name, owner, rowAccess = {} }: ResourceDescriptor,
  descriptors: ReadonlyMap<string, ResourceDescriptor>,
): Refusals {
  return {
    access(action, principal) {
      const alternatives = rowAccess[action] ?? [];
      const rule = accessSentence(action, alternatives, [...descriptors.values()]);
      const lacks = new Set(verdictsOn(alternatives, key, descriptors, principal).flatMap((verdict) => verdict.lacks));
      const missing = lacks.size === 0 ? '' : ` The caller lacks ${[...lacks].join(', ')}.`;
      return `${name} has \`x-access.${action}\`: ${rule}${missing}`;
    },
    owner: () => `${name} has \`x-owner\`: ${ownerSentence(owner!)}`,
  };
}

/** "Can be changed where its `userId` is the caller's `sub`, or by callers with the scope `a`." */
function ownerSentence({ property, scope }: OwnerRule): string {
  const exempt = scope === undefined ? '' : `, or by callers with the scope \`${scope}\``;
  return `Can be changed where its \`${property}\` is the caller's \`sub\`${exempt}.`;
}
