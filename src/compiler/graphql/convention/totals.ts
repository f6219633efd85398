import type { Parameter } from '../../../descriptor/document.ts';
import { isFiltered, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { TotalsDraft } from '../../model/draft.ts';
import { pagingParameter, parameterSchema } from '../../model/resources/list-parameters.ts';
import type { Contract } from './contract-side.ts';
import { type Definition, type Member, printValue } from './definition.ts';
import { ancestorArguments, directivesOf, listArguments } from './fields.ts';
import { groupName, pluralOf, sortName, totalTypeNames } from './names.ts';
import type { TypeDeriver } from './type-deriver.ts';
import { descriptionOf, wordsOf } from './words.ts';

/** The field of totals but for its name, with the arguments that their operation has parameters for. */
export function totalsField(
  contract: Contract,
  resource: ResourceDescriptor,
  { operation, schemas }: TotalsDraft,
): Omit<Member, 'name'> {
  const types = totalTypeNames(resource.name);
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
export const pageMembers = ({ schemas }: TotalsDraft): readonly Member[] => [
  { name: 'nodes', description: 'The groups.', type: `[${schemas.group}!]!` },
  { name: 'hasMore', description: 'Whether there are more groups.', type: 'Boolean!' },
];

/** The types of totals: that of their groups has another schema of its name. */
export function totalsTypes(resource: ResourceDescriptor, totals: TotalsDraft): readonly Definition[] {
  const { group, sort } = totalTypeNames(resource.name);
  const values = (name: string, description: string, names: readonly string[]): readonly Definition[] =>
    names.length === 0 ? [] : [{ kind: 'enum', name, description, members: names.map((one) => ({ name: one })) }];
  return [
    {
      kind: 'type',
      name: totals.schemas.page,
      description: 'Groups, as far as they were asked for.',
      members: pageMembers(totals),
    },
    ...values(group, 'The values that gather rows into groups.', totals.groups.map(groupName)),
    ...values(sort, 'The order of groups.', totals.sorts.map(sortName)),
  ];
}

/** Adds the type of a group, which is that of its schema. */
export const answerGroup = (deriver: TypeDeriver, resource: ResourceDescriptor, { schemas }: TotalsDraft): void =>
  deriver.answer(schemas.group, `Totals of a group of ${wordsOf(pluralOf(resource))}.`);
