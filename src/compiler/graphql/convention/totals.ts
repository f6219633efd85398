import type { Parameter } from '../../../descriptor/document.ts';
import { isFiltered, type ResourceDescriptor, totalsOf } from '../../../descriptor/resource.ts';
import type { ResourceDraft, TotalsDraft } from '../../model/draft.ts';
import { pagingParameter, parameterSchema } from '../../model/resources/list-parameters.ts';
import { type Contract, type ContractSide, draftOf, isRestOnly } from './contract-side.ts';
import { type Definition, type Member, printValue } from './definition.ts';
import { ancestorArguments, directivesOf, listArguments } from './fields.ts';
import { groupName, pluralOf, sortName, totalsFieldName, totalTypeNames } from './names.ts';
import type { TypeDeriver } from './type-deriver.ts';
import { descriptionOf, wordsOf } from './words.ts';

/** The totals of a resource, and the names of their types. */
export interface TotalsSite {
  readonly resource: ResourceDescriptor;
  readonly totals: TotalsDraft;
  readonly types: { readonly group: string; readonly sort: string };
}

export const totalsSites = (contract: Contract): readonly TotalsSite[] =>
  contract.resources.flatMap((resource) =>
    totalsOf<ResourceDraft['further'][number]>(draftOf(contract, resource)).map((totals) => ({
      resource,
      totals,
      types: totalTypeNames(resource.name),
    })),
  );

/** The types that have the groups of totals: they and the schemas of their names have different members. */
export const totalPages = (contract: Contract): ReadonlySet<string> =>
  new Set(totalsSites(contract).map(({ totals }) => totals.schemas.page));

/** The field of totals, with the arguments that their operation has parameters for. */
export function totalsField(contract: Contract, { resource, totals, types }: TotalsSite): Member {
  const { operation, schemas } = totals;
  const ofList = listArguments(resource).filter(({ name }) => name === 'filter' || name === 'search');
  const argument = (
    parameter: string,
    type: string,
    nameOf?: (value: string) => string,
    name = parameter,
  ): Member[] => {
    const found = pagingParameter(operation, parameter);
    if (!found) return [];
    const declared = defaultOf(contract, found);
    const given = nameOf && Array.isArray(declared) ? declared.map((one) => nameOf(String(one))) : declared;
    const value = given === undefined ? undefined : printValue(given, nameOf !== undefined);
    return [{ name, description: descriptionOf(found), type, given, value, origin: { node: found } }];
  };
  return {
    name: totalsFieldName(resource),
    description: descriptionOf(operation.node),
    args: [
      ...ancestorArguments(contract, resource),
      ...argument('groupBy', `[${types.group}!]`, groupName),
      ...(isFiltered(resource.list) ? ofList : ofList.filter(({ name }) => name === 'search')),
      ...argument('sort', `[${types.sort}!]`, sortName),
      ...argument('limit', 'Int', undefined, 'first'),
      ...argument('timeZone', 'String'),
    ],
    type: `${schemas.page}!`,
    directives: directivesOf(contract, operation),
  };
}

const defaultOf = ({ document }: Contract, parameter: Parameter): unknown =>
  parameterSchema(document, parameter).keywords.get('default')?.value;

/** The fields of the type that has the groups. */
export const pageMembers = ({ totals: { schemas } }: TotalsSite): readonly Member[] => [
  { name: 'nodes', description: 'The groups.', type: `[${schemas.group}!]!` },
  { name: 'hasMore', description: 'Whether there are more groups.', type: 'Boolean!' },
];

/** The field of the totals of a resource, unless GraphQL deliberately lacks it; their types are added to `types`. */
export function deriveTotals(
  side: ContractSide,
  deriver: TypeDeriver,
  resource: ResourceDescriptor,
): readonly Member[] {
  const sites = totalsSites({ ...side, resources: [resource] });
  return sites.flatMap((site) => {
    const { totals, types } = site;
    if (isRestOnly(totals.operation.node)) return [];
    const { group, page } = totals.schemas;
    deriver.answer(group, `Totals of a group of ${wordsOf(pluralOf(resource))}.`);
    const values = (name: string, description: string, names: readonly string[]): Definition => ({
      kind: 'enum',
      name,
      description,
      members: names.map((one) => ({ name: one })),
    });
    deriver.add({
      kind: 'type',
      name: page,
      description: 'Groups, as far as they were asked for.',
      members: pageMembers(site),
    });
    if (totals.groups.length > 0)
      deriver.add(values(types.group, `The values that gather rows into groups.`, totals.groups.map(groupName)));
    if (totals.sorts.length > 0) deriver.add(values(types.sort, 'The order of groups.', totals.sorts.map(sortName)));
    return [totalsField(side, site)];
  });
}
