import { getNamedType, isObjectType } from 'graphql';
import { nestedOf, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import { lowerFirst, upperFirst } from '../../model/naming.ts';
import { type ContractSide, draftOf, isRestOnly } from './contract-side.ts';
import type { Member } from './definition.ts';
import { authDirectives, isDeliberate, listSizeText } from './directives.ts';
import { nestedField, referenceField, shortListArguments } from './fields.ts';
import { pluralOf } from './names.ts';
import { connectionsTo } from './sdl-facts.ts';
import { wordsOf } from './words.ts';

/** A field that follows a property: `author` behind `authorId`. */
export interface Reference {
  readonly property: string;
  readonly member: Member;
}

/** The fields of a resource that answer what its properties refer to, with the access of getting that. */
export function referencesOf(side: ContractSide, resource: ResourceDescriptor): readonly Reference[] {
  return resource.properties.flatMap((property) => {
    const member = referenceField(side, property);
    const target = side.resources.find(({ key }) => key === property.references?.resource);
    const { holder } = draftOf(side, resource).schema.flat.properties.get(property.name)!;
    const isTaken = resource.properties.some(({ name }) => name === member?.name);
    if (!member || !target?.actions.get || isTaken) return [];
    return isRestOnly((holder as Record<string, unknown>)[property.name]) ? [] : [{ property: property.name, member }];
  });
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
      if (!target?.actions.get || origin === 'parent' || connectionsTo(side.sdl, target, resource).length > 0)
        return [];
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
  const name = by === undefined ? plural : `${plural}By${upperFirst(by.replace(/Id$/, ''))}`;
  return {
    name,
    description: `The ${wordsOf(lowerFirst(plural))} that refer to it.`,
    args: shortListArguments(resource),
    type: `${type}Connection!`,
    directives: [
      ...(by === undefined ? [] : [`@by(property: ${JSON.stringify(by)})`]),
      listSizeText(resource.list),
      ...authDirectives(side.document, draftOf(side, resource).operations.list!.access),
    ],
  };
}

/** The connections that an SDL has, with the arguments that the list of their resource has now. */
export function knownConnections({ schema, resources }: ContractSide): readonly ReverseConnection[] {
  return resources.flatMap(({ name: type }) => {
    const declared = schema?.getType(type);
    const fields = isObjectType(declared) ? Object.values(declared.getFields()) : [];
    return fields.flatMap((field) => {
      const listed = resources.find(({ name, list }) => list && getNamedType(field.type).name === `${name}Connection`);
      if (!listed || isDeliberate(schema!, field)) return [];
      return [{ type, member: { name: field.name, args: shortListArguments(listed), type: String(field.type) } }];
    });
  });
}

/** The connections that operations with `x-through` imply. */
export const throughConnections = (side: ContractSide, resource: ResourceDescriptor): readonly ReverseConnection[] =>
  nestedOf(draftOf(side, resource)).flatMap((one) =>
    isRestOnly(one.operation.node) ? [] : [{ type: one.below.name, member: nestedField(side, resource, one) }],
  );
