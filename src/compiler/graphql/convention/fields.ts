import { parentOf } from '../../../descriptor/levels.ts';
import {
  type Action,
  furtherPaths,
  isFiltered,
  type ListDescriptor,
  namingProperty,
  type PropertyDescriptor,
  type ResourceDescriptor,
  readKeys,
} from '../../../descriptor/resource.ts';
import { allOf } from '../../findings/wording.ts';
import type { OperationDraft } from '../../model/draft.ts';
import { type Contract, draftOf, isRestOnly } from './contract-side.ts';
import type { Member } from './definition.ts';
import { authDirectives, listSizeText } from './directives.ts';
import { actionFieldName, ancestorParameters, keyedParameters, sortName, versionType } from './names.ts';
import { typeText } from './type-text.ts';
import { descriptionOf, wordsOf } from './words.ts';

/** Where a field stands, and what the SDL has of it. */
interface Placement {
  /** The conventional name, if left out. */
  readonly name?: string;
  /** Whether it is a field of the parent, which takes nothing that names the ancestors. */
  readonly isBelow?: boolean;
  /** Names of the arguments that it has. */
  readonly asked?: readonly string[];
}

/** The field of an action; undefined where REST does not have it. */
export function actionField(
  contract: Contract,
  resource: ResourceDescriptor,
  action: Action,
  placement: Placement = {},
): Member | undefined {
  const operation = draftOf(contract, resource).operations[action];
  if (!operation) return undefined;
  const { name } = resource;
  return {
    name: placement.name ?? actionFieldName(resource, action, parentOf(contract.resources, resource)),
    description: descriptionOf(operation.node),
    args: argumentsOf(contract, resource, action, placement),
    type: action === 'list' ? `${name}Connection!` : action === 'get' ? name : action === 'delete' ? 'ID!' : `${name}!`,
    directives: [...(action === 'list' ? [listSizeText(resource.list)] : []), ...directivesOf(contract, operation)],
  };
}

const ifVersion = (resource: ResourceDescriptor): Member => ({ name: 'ifVersion', type: versionType(resource) });
/** Of a replacement that may create: `If-None-Match: *` over REST. */
const IF_ABSENT: Member = { name: 'ifAbsent', type: 'Boolean' };

function argumentsOf(
  contract: Contract,
  resource: ResourceDescriptor,
  action: Action,
  { isBelow = false, asked = [] }: Placement,
): readonly Member[] {
  const { schemas, actions } = resource;
  const ancestors = isBelow ? [] : ancestorArguments(contract, resource);
  const own = [...ancestors, ownArgument(contract, resource)];
  const input = (type: string | undefined): Member => ({ name: 'input', type: `${type}!` });
  switch (action) {
    case 'list':
      return [...ancestors, ...listArguments(resource)];
    case 'get':
      return [...ancestors, ...getArguments(contract, resource, asked)];
    case 'create':
      return [...ancestors, input(schemas.input)];
    case 'replace':
      return [...own, input(schemas.input), ifVersion(resource), ...(actions.replace?.creates ? [IF_ABSENT] : [])];
    case 'update':
      return [...own, input(schemas.patch), ifVersion(resource)];
    case 'delete':
      return [...own, ifVersion(resource)];
  }
}

/** The arguments that name the ancestors of a resource. */
export const ancestorArguments = (contract: Contract, resource: ResourceDescriptor): readonly Member[] =>
  ancestorParameters(resource).map((name) => ({ name, type: `${keyType(contract, resource, name)}!` }));

/** The argument that names one: `id`, or the key of its path. */
const ownArgument = (contract: Contract, resource: ResourceDescriptor): Member => ({
  name: namingProperty(resource),
  type: `${keyType(contract, resource, resource.idParameter)}!`,
});

/**
 * The arguments of a `get`: one for each property that has a path, and that of any other key that the field has. Where
 * there are several, exactly one is given, so that none is required.
 */
function getArguments(contract: Contract, resource: ResourceDescriptor, asked: readonly string[]): readonly Member[] {
  const paths = furtherPaths(draftOf(contract, resource)).filter(
    ({ property, operation }) => asked.includes(property) || !isRestOnly(operation.node),
  );
  const own = ownArgument(contract, resource);
  const [, ...others] = readKeys(resource);
  if (paths.length === 0 && !others.some((key) => asked.includes(key))) return [own];
  return [
    { ...own, type: own.type!.replace(/!$/, '') },
    ...paths.map(({ property, operation }) => ({
      name: property,
      type: keyType(contract, resource, property, operation, true),
    })),
  ];
}

function keyType(
  contract: Contract,
  resource: ResourceDescriptor,
  name: string,
  { parameters }: OperationDraft = draftOf(contract, resource).operations.get!,
  isKey = keyedParameters(resource, contract.resources).has(name),
): string {
  const schema = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)?.schema;
  return isKey ? typeText(contract.document, [schema ?? true], 'input', undefined) : 'ID';
}

/** What an operation gives its field: `@deprecated`, and its access. */
export const directivesOf = ({ document }: Contract, { node, access }: OperationDraft): readonly string[] => [
  ...(node.deprecated === true ? ['@deprecated'] : []),
  ...authDirectives(document, access),
];

/** The arguments of a list, without those that name the ancestors. */
export function listArguments({ name, list }: ResourceDescriptor): readonly Member[] {
  return [
    {
      name: 'first',
      description: `Maximum number of entries on the page, from 1 to ${list?.maximumLimit}.`,
      type: 'Int',
      value: String(list?.defaultLimit),
    },
    { name: 'after', description: 'The page begins after this cursor.', type: 'String' },
    ...(list?.pagesBack ? backArguments(list) : []),
    ...(isFiltered(list)
      ? [{ name: 'filter', description: 'Only entries that match all of these.', type: `${name}Filter` }]
      : []),
    ...(list?.search ? [searchArgument(list, list.search)] : []),
    ...(list && list.sorts.length > 0 ? [sortArgument(name, list.defaultSort)] : []),
  ];
}

/** What pages are asked for by, from the end. */
const backArguments = ({ maximumLimit }: ListDescriptor): readonly Member[] => [
  {
    name: 'last',
    description: `In place of \`first\`: maximum number of entries before \`before\`, or at the end, from 1 to ${maximumLimit}.`,
    type: 'Int',
  },
  { name: 'before', description: 'The page ends before this cursor.', type: 'String' },
];

const searchArgument = ({ searchLanguage }: ListDescriptor, search: readonly string[]): Member => ({
  name: 'search',
  description: `Only entries with all of these words in ${allOf(search)}${searchLanguage ? `, in any inflected form (${searchLanguage})` : ''}; \`*\` stands for the rest of a word.`,
  type: 'String',
});

function sortArgument(name: string, defaultSort: readonly string[]): Member {
  return {
    name: 'sort',
    description: `Order of the entries; ${defaultSort.length === 0 ? 'by default by id, oldest first' : 'with a default'}.`,
    type: `[${name}Sort!]`,
    value: defaultSort.length === 0 ? undefined : `[${defaultSort.map(sortName).join(', ')}]`,
  };
}

/** The arguments of a list that other fields describe already. */
export const shortListArguments = (resource: ResourceDescriptor): readonly Member[] =>
  listArguments(resource).map(({ description: _, ...argument }) => argument);

/** For `GET /issues/{issueId}/labels`, which lists through another resource, the connection `Issue.labels`. */
export const nestedField = (
  contract: Contract,
  resource: ResourceDescriptor,
  { operation, name }: { readonly operation: OperationDraft; readonly name: string },
): Member => ({
  name,
  description: descriptionOf(operation.node),
  args: shortListArguments(resource),
  type: `${resource.name}Connection!`,
  directives: [listSizeText(resource.list), ...directivesOf(contract, operation)],
});

/** For a property `authorId`, the field `author: Author`, with the access of getting an author. */
export function referenceField(contract: Contract, { name, references }: PropertyDescriptor): Member | undefined {
  const target = references && contract.resources.find(({ key }) => key === references.resource);
  if (!target || !/.Id$/.test(name)) return undefined;
  const field = name.replace(/Id$/, '');
  const description = `The ${wordsOf(field)} that \`${name}\` names.`;
  const get = draftOf(contract, target).operations.get;
  return { name: field, description, type: target.name, directives: authDirectives(contract.document, get?.access) };
}
