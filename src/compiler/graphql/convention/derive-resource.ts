import { type Access, implies } from '../../../descriptor/access.ts';
import type { Action, ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { ObjectDraft } from '../../model/draft.ts';
import { lowerFirst } from '../../model/naming.ts';
import { ancestorParameters, pluralOf, rootListName } from '../fields/names.ts';
import { authDirectives } from './access-directives.ts';
import { type ContractSide, draftOf, isRestOnly, parentOf } from './contract-side.ts';
import type { Member } from './definition.ts';
import { deriveList, listSize } from './derive-list.ts';
import { ancestorArguments, getArguments, type KeyedResource, ownArgument } from './key-arguments.ts';
import type { RangeTypes } from './range-types.ts';
import type { TypeDeriver } from './type-deriver.ts';
import { descriptionOf, startWithArticle, withArticle, wordsOf } from './words.ts';

/** The fields of a resource on the root types, and those that it gives to other types. */
export interface ResourceFields {
  readonly query: readonly Member[];
  readonly mutation: readonly Member[];
  readonly subscription: readonly Member[];
  /** The list of a sub-resource, as a field of its parent. */
  readonly onParent?: { readonly parent: ResourceDescriptor; readonly member: Member } | undefined;
}

const IF_VERSION: Member = { name: 'ifVersion', type: 'Int' };
/** Of a replacement that may create. */
const IF_ABSENT: Member = { name: 'ifAbsent', type: 'Boolean' };

/** The fields by which GraphQL serves a resource; its types are added to `types`. */
export function deriveResource(
  side: ContractSide,
  types: TypeDeriver,
  ranges: RangeTypes,
  resource: ResourceDescriptor,
): ResourceFields {
  const draft = draftOf(side, resource);
  const { name, flat } = draft.schema;
  const words = wordsOf(lowerFirst(name));
  types.object(name, flat, 'output', name, false, `${startWithArticle(words)}.`);
  objectOf(types, draft.input, false, `Input for ${withArticle(words)}.`);
  objectOf(types, draft.patch, true, `Changes to ${withArticle(words)}; what is left out keeps its value.`);
  const list = listField(side, types, ranges, resource);
  const parent = parentOf(side, resource);
  const isAtRoot = list !== undefined && side.sdl.fields.has(`${side.sdl.roots.query}.${list.name}`);
  const isNested = parent !== undefined && list !== undefined && !isAtRoot && fitsParent(parent, resource);
  // Through the parent a list asks for the access of the parent, too.
  const isEnough = isNested && implies(draft.operations.list!.access, parent.actions.get!.access);
  return {
    query: [...(list && !isEnough ? [list] : []), ...fieldsOf(side, resource, ['get'])],
    mutation: fieldsOf(side, resource, ['create', 'replace', 'update', 'delete']),
    subscription: events(side, resource),
    onParent: isNested
      ? {
          parent,
          member: { ...list, name: nestedName(side, parent, resource), args: withoutAncestors(list, resource) },
        }
      : undefined,
  };
}

function objectOf(types: TypeDeriver, input: ObjectDraft | undefined, isPatch: boolean, words: string): void {
  if (input) types.object(input.name, input.flat, 'input', input.name, isPatch, words);
}

/** `Book.copies`, for the sub-resource of a resource that has no property of that name. */
const fitsParent = (parent: ResourceDescriptor, resource: ResourceDescriptor): boolean =>
  parent.actions.get !== undefined && !parent.properties.some(({ name }) => name === pluralOf(resource));

/** The field of the parent that lists the resource already, under whatever name, or else the conventional one. */
function nestedName({ sdl }: ContractSide, parent: ResourceDescriptor, resource: ResourceDescriptor): string {
  const existing = [...sdl.fields].filter(
    ([coordinate, type]) => coordinate.startsWith(`${parent.name}.`) && type === `${resource.name}Connection`,
  );
  const names = existing.map(([coordinate]) => coordinate.split('.')[1]!);
  return names.length === 1 ? names[0]! : pluralOf(resource);
}

const withoutAncestors = ({ args = [] }: Member, resource: ResourceDescriptor): readonly Member[] =>
  args.filter(({ name }) => !ancestorParameters(resource).includes(name));

function listField(
  side: ContractSide,
  types: TypeDeriver,
  ranges: RangeTypes,
  resource: ResourceDescriptor,
): Member | undefined {
  const operation = draftOf(side, resource).operations.list;
  if (!operation || !resource.list || isRestOnly(operation.node)) return undefined;
  const plural = wordsOf(pluralOf(resource));
  return {
    name: rootListName(resource, parentOf(side, resource)),
    description: descriptionOf(operation.node) ?? `The ${plural} that the caller may see.`,
    args: [
      ...members(ancestorArguments(keyedOf(side, resource))),
      ...deriveList(side, types, ranges, resource, plural),
    ],
    type: `${resource.name}Connection!`,
    directives: [
      listSize(resource),
      ...deprecation(operation.node.deprecated),
      ...authDirectives(side.document, operation.access),
    ],
  };
}

function fieldsOf(
  side: ContractSide,
  resource: ResourceDescriptor,
  actions: readonly Exclude<Action, 'list'>[],
): readonly Member[] {
  const { operations } = draftOf(side, resource);
  return actions.flatMap((action) => {
    const operation = operations[action];
    if (!operation || isRestOnly(operation.node)) return [];
    return [
      {
        ...signatureOf(side, resource, action),
        description: descriptionOf(operation.node),
        directives: [...deprecation(operation.node.deprecated), ...authDirectives(side.document, operation.access)],
      },
    ];
  });
}

function signatureOf(side: ContractSide, resource: ResourceDescriptor, action: Exclude<Action, 'list'>): Member {
  const { name, schemas } = resource;
  const keyed = keyedOf(side, resource);
  const ancestors = members(ancestorArguments(keyed));
  const own = [...ancestors, ...members(ownArgument(keyed))];
  const input = (type: string | undefined): Member => ({ name: 'input', type: `${type}!` });
  switch (action) {
    case 'get':
      return { name: lowerFirst(name), args: [...ancestors, ...members(getArguments(keyed, []))], type: name };
    case 'create':
      return { name: `create${name}`, args: [...ancestors, input(schemas.input)], type: `${name}!` };
    case 'replace': {
      const expected = resource.actions.replace?.creates ? [IF_VERSION, IF_ABSENT] : [IF_VERSION];
      return { name: `replace${name}`, args: [...own, input(schemas.input), ...expected], type: `${name}!` };
    }
    case 'update':
      return { name: `update${name}`, args: [...own, input(schemas.patch), IF_VERSION], type: `${name}!` };
    case 'delete':
      return { name: `delete${name}`, args: [...own, IF_VERSION], type: 'ID!' };
  }
}

const members = (args: Readonly<Record<string, string>>): readonly Member[] =>
  Object.entries(args).map(([name, type]) => ({ name, type }));

const keyedOf = (side: ContractSide, resource: ResourceDescriptor): KeyedResource => ({
  document: side.document,
  resources: side.resources,
  resource,
  draft: draftOf(side, resource),
});

const deprecation = (isDeprecated: unknown): readonly string[] => (isDeprecated === true ? ['@deprecated'] : []);

/**
 * Events of the changes that callers can make, for those who may read the resource. A schema that has the resource already has the
 * events that its author wants.
 */
function events(side: ContractSide, resource: ResourceDescriptor): readonly Member[] {
  const { name, actions } = resource;
  const read: Access | undefined = (actions.get ?? actions.list)?.access;
  if (!read || side.sdl.defined.has(name)) return [];
  const words = wordsOf(lowerFirst(name));
  const parent = resource.parent ? [{ name: resource.parent.property, type: 'ID' }] : [];
  const one = [{ name: 'id', type: 'ID' }, ...parent];
  const directives = authDirectives(side.document, read);
  const event = (kind: string, description: string, args: readonly Member[], type: string): Member => ({
    name: `${lowerFirst(name)}${kind}`,
    description,
    args,
    type,
    directives,
  });
  const [create, change, remove] = [actions.create, actions.update ?? actions.replace, actions.delete];
  return [
    ...(create ? [event('Created', `${startWithArticle(words)} that was created.`, parent, `${name}!`)] : []),
    ...(change
      ? [event('Updated', `${startWithArticle(words)} that has changed, as it is now.`, one, `${name}!`)]
      : []),
    ...(remove ? [event('Deleted', `The id of a deleted ${words}.`, one, 'ID!')] : []),
  ];
}
