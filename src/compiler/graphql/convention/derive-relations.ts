import { getNamedType, isObjectType } from 'graphql';
import { isFiltered, type PropertyDescriptor, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import { lowerFirst } from '../../model/naming.ts';
import { pluralOf, sortName } from '../fields/names.ts';
import { authDirectives } from './access-directives.ts';
import { type ContractSide, draftOf, isRestOnly } from './contract-side.ts';
import type { Member } from './definition.ts';
import { backArguments, listSize, searchArgument } from './derive-list.ts';
import { isDeliberate } from './directives.ts';
import { descriptionOf, wordsOf } from './words.ts';

/** A field that follows a property: `author` behind `authorId`. */
export interface Reference {
  readonly property: string;
  readonly member: Member;
}

/** The fields of a resource that answer what its properties refer to, with the access of getting that. */
export function referencesOf(side: ContractSide, resource: ResourceDescriptor): readonly Reference[] {
  return resource.properties.flatMap((property) => {
    const target = targetOf(side, property);
    const name = property.name.replace(/Id$/, '');
    const { holder } = draftOf(side, resource).schema.flat.properties.get(property.name)!;
    const isTaken = resource.properties.some((one) => one.name === name);
    if (!target || isTaken || isRestOnly((holder as Record<string, unknown>)[property.name])) return [];
    const directives = authDirectives(side.document, target.actions.get?.access);
    const description = `The ${wordsOf(name)} that \`${property.name}\` names.`;
    return [{ property: property.name, member: { name, description, type: target.name, directives } }];
  });
}

function targetOf(side: ContractSide, { name, references }: PropertyDescriptor): ResourceDescriptor | undefined {
  if (!references || !/.Id$/.test(name)) return undefined;
  const target = side.resources.find(({ key }) => key === references.resource);
  return target?.actions.get && target;
}

/**
 * A connection in the opposite direction of a reference, which nothing implies: whether and where is the author's
 * choice.
 */
export interface ReverseConnection {
  /** The type that it would be a field of. */
  readonly type: string;
  readonly member: Member;
}

/** The connections that a contract could have and has not; those of sub-resources to their parents are not among them. */
export function reverseConnections(side: ContractSide): readonly ReverseConnection[] {
  return side.resources.flatMap((resource) => {
    const { list, parent, properties, name } = resource;
    if (!list || !draftOf(side, resource).operations.list) return [];
    const referring = properties.filter((one) => one.references && !(parent && one.origin !== 'parent'));
    return referring.flatMap(({ name: property, references, origin }) => {
      const target = side.resources.find(({ key }) => key === references!.resource);
      if (!target?.actions.get || origin === 'parent' || hasConnection(side, target, resource)) return [];
      const several = referring.filter((one) => one.references!.resource === target.key).length > 1;
      const { inverse } = references!;
      const by = several && inverse === undefined ? property : undefined;
      return [{ type: target.name, member: connectionMember(side, resource, by, name, inverse) }];
    });
  });
}

function connectionMember(
  side: ContractSide,
  resource: ResourceDescriptor,
  by: string | undefined,
  type: string,
  inverse: string | undefined,
): Member {
  const plural = inverse ?? pluralOf(resource);
  const name = by === undefined ? plural : `${plural}By${by.charAt(0).toUpperCase()}${by.slice(1).replace(/Id$/, '')}`;
  return {
    name,
    description: `The ${wordsOf(lowerFirst(plural))} that refer to it.`,
    args: listArguments(resource),
    type: `${type}Connection!`,
    directives: [
      ...(by === undefined ? [] : [`@by(property: ${JSON.stringify(by)})`]),
      listSize(resource),
      ...authDirectives(side.document, draftOf(side, resource).operations.list!.access),
    ],
  };
}

const listArguments = (resource: ResourceDescriptor): readonly Member[] => {
  const { list, name: type } = resource;
  return [
    { name: 'first', type: 'Int', value: String(list!.defaultLimit) },
    { name: 'after', type: 'String' },
    ...backArguments(list!),
    ...(isFiltered(list) ? [{ name: 'filter', type: `${type}Filter` }] : []),
    ...searchArgument(list!),
    ...(list!.sorts.length > 0 ? [{ name: 'sort', type: `[${type}Sort!]`, value: sortDefault(resource) }] : []),
  ];
};

/** The connections that an SDL has, with the arguments that the list of their resource has now. */
export function knownConnections({ schema, resources }: ContractSide): readonly ReverseConnection[] {
  return resources.flatMap(({ name: type }) => {
    const declared = schema?.getType(type);
    const fields = isObjectType(declared) ? Object.values(declared.getFields()) : [];
    return fields.flatMap((field) => {
      const listed = resources.find(({ name, list }) => list && getNamedType(field.type).name === `${name}Connection`);
      if (!listed || isDeliberate(schema!, field)) return [];
      return [{ type, member: { name: field.name, args: listArguments(listed), type: String(field.type) } }];
    });
  });
}

/** The connections that operations with `x-through` imply. */
export function throughConnections(side: ContractSide, resource: ResourceDescriptor): readonly ReverseConnection[] {
  return draftOf(side, resource).throughs.flatMap(({ operation, name, below }) => {
    if (isRestOnly(operation.node)) return [];
    const member: Member = {
      name,
      description: descriptionOf(operation.node),
      args: listArguments(resource),
      type: `${resource.name}Connection!`,
      directives: [listSize(resource), ...authDirectives(side.document, operation.access)],
    };
    return [{ type: below.name, member }];
  });
}

function sortDefault({ list }: ResourceDescriptor): string | undefined {
  const keys = list!.defaultSort;
  return keys.length === 0 ? undefined : `[${keys.map(sortName).join(', ')}]`;
}

/** Whether the target's type lists the resource already. */
const hasConnection = ({ sdl }: ContractSide, target: ResourceDescriptor, { name }: ResourceDescriptor): boolean =>
  [...sdl.fields].some(
    ([coordinate, type]) => coordinate.startsWith(`${target.name}.`) && type === `${name}Connection`,
  );
