import { parentOf } from '../../../descriptor/levels.ts';
import { type OwnRole, type ResourceDescriptor, resourceWithKey } from '../../../descriptor/resource.ts';
import { ROLES } from '../../../descriptor/roles.ts';
import { batchField, batchTypes } from './batches.ts';
import { type Contract, type ContractSide, draftOf, isRestOnly } from './contract-side.ts';
import type { Definition, Member } from './definition.ts';
import { directivesOf } from './fields.ts';
import { furtherFieldName, keyedParameters } from './names.ts';
import { answerGroup, totalsField, totalsTypes } from './totals.ts';
import type { TypeDeriver } from './type-deriver.ts';
import { typeText } from './type-text.ts';
import { descriptionOf } from './words.ts';

/** A further operation that has a field on a root type. */
export type RootDraft<R extends OwnRole = OwnRole> = Extract<
  ReturnType<typeof draftOf>['further'][number],
  { readonly kind: R }
>;

/** Those of a resource. */
const rootsOf = (contract: Contract, resource: ResourceDescriptor): readonly RootDraft[] =>
  draftOf(contract, resource).further.filter((one): one is RootDraft => one.action === one.kind);

interface FurtherSite {
  readonly resource: ResourceDescriptor;
  readonly further: RootDraft;
}

export const furtherSites = (contract: Contract): readonly FurtherSite[] =>
  contract.resources.flatMap((resource) => rootsOf(contract, resource).map((further) => ({ resource, further })));

/** The field of a further operation. */
export function furtherField(contract: Contract, resource: ResourceDescriptor, further: RootDraft): Member {
  const name = furtherFieldName(resource, further.kind, parentOf(contract.resources, resource));
  switch (further.kind) {
    case 'totals':
      return { name, ...totalsField(contract, resource, further) };
    case 'batch':
      return { name, ...batchField(contract, resource, further) };
    default:
      return { name, ...linkField(contract, further) };
  }
}

/** Its types, which stand for no schemas of their names, or have other members. */
function typesOf(contract: Contract, resource: ResourceDescriptor, further: RootDraft): readonly Definition[] {
  switch (further.kind) {
    case 'totals':
      return totalsTypes(resource, further);
    case 'batch':
      return batchTypes(contract, resource, further);
    default:
      return [];
  }
}

/** The field of a link, which is always true; its arguments are the parameters of the path. */
function linkField(
  contract: Contract,
  { operation, ends: [above, linked], parameter }: RootDraft<'link' | 'unlink'>,
): Omit<Member, 'name'> {
  const keyed = new Set(keyedParameters(resourceWithKey(contract.resources, above.resource.key), contract.resources));
  if (linked.resource.keyProperty !== undefined) keyed.add(parameter);
  const inPath = operation.parameters.filter((one) => one.in === 'path');
  return {
    description: descriptionOf(operation.node),
    args: inPath.map(({ name, schema = true }) => ({
      name,
      type: `${keyed.has(name) ? typeText(contract.document, [schema], 'input', undefined) : 'ID'}!`,
    })),
    type: 'Boolean!',
    directives: directivesOf(contract, operation),
  };
}

export const unpairedTypes = (contract: Contract): ReadonlySet<string> =>
  new Set(
    furtherSites(contract).flatMap(({ resource, further }) =>
      typesOf(contract, resource, further).map(({ name }) => name),
    ),
  );

/** The fields of a resource on a root type, unless GraphQL deliberately lacks them; their types are added to `deriver`. */
export const deriveFurther = (
  side: ContractSide,
  deriver: TypeDeriver,
  resource: ResourceDescriptor,
  root: 'query' | 'mutation',
): readonly Member[] =>
  rootsOf(side, resource).flatMap((further) => {
    if (ROLES[further.action].root !== root || isRestOnly(further.operation.node)) return [];
    if (further.kind === 'totals') answerGroup(deriver, resource, further);
    for (const type of typesOf(side, resource, further)) deriver.add(type);
    return [furtherField(side, resource, further)];
  });
