import { addKey } from '../graphql/parity/rest-edits.ts';
import { type Reference, referencesOf } from '../model/access/relations.ts';
import { declaredTenant } from '../model/access/tenant-rule.ts';
import type { ResourceDraft } from '../model/draft.ts';
import { originOf } from '../model/resources/describe-property.ts';
import { describeOwner } from '../model/resources/describe-resource.ts';
import { atPropertyKeyword } from './place.ts';
import { propertiesWith } from './reference-rules.ts';
import type { Check } from './rule.ts';

const WORD = 'x-reference-hidden';

/** Where callers refer to rows that `x-owner` hides from some of them, the contract says whether they may. */
export const referenceHidden: Check = function* (draft) {
  const { document, resources } = draft;
  const tenant = declaredTenant(document)?.property;
  const hiding = referencesOf(resources).filter(namesHidden);
  for (const { from, property, target } of hiding) {
    if (property.flat.keywords.has(WORD) || isSighted(target, tenant)) continue;
    const fix = addKey({ draft, document }, property.flat.keywords.get('x-references')!.node, WORD, 'allow');
    yield {
      severity: 'warning',
      message: `\`${from.name}.${property.name}\` cannot refer to a \`${target.name}\` that \`x-owner\` hides from the caller: to name one is 422, as if it were not there.`,
      hint: `Write \`${WORD}: allow\` where callers must name such rows, as they once could, or \`refuse\` if that is meant.`,
      ...atPropertyKeyword(property, 'x-references'),
      ...(fix && { fix }),
    };
  }
  for (const { resource, property } of propertiesWith(resources, WORD)) {
    if (hiding.some((one) => one.property === property)) continue;
    yield {
      severity: 'warning',
      message: `\`${WORD}\` of \`${resource.name}.${property.name}\` has no effect: callers name no rows by it that \`x-owner\` hides.`,
      hint: 'Remove it. It stands beside `x-references` to a resource with `x-owner`, on a property of the input.',
      ...atPropertyKeyword(property, WORD),
    };
  }
};

/** By the owner of a row, callers name whom its `x-owner` lets them; its parent is named by the path. */
const namesHidden = ({ from, property: { name }, target }: Reference): boolean =>
  originOf(from, name) === 'input' &&
  name !== describeOwner(from)?.property &&
  levelsOf(target).some((one) => describeOwner(one)?.reads === 'owner');

/** Whether `x-access` or a tenant decides who reads its rows, so that no others could ever be named. */
const isSighted = (target: ResourceDraft, tenant: string | undefined): boolean =>
  levelsOf(target).some(({ schema: { flat, properties } }) => {
    const access = flat.keywords.get('x-access')?.value as { readonly read?: unknown } | undefined;
    return access?.read !== undefined || properties.has(tenant ?? '');
  });

const levelsOf = (resource: ResourceDraft): readonly ResourceDraft[] =>
  resource.parent?.resource ? [resource, ...levelsOf(resource.parent.resource)] : [resource];
