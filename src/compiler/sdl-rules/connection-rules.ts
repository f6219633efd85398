import { getNamedType, isObjectType } from 'graphql';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import { rootListName } from '../fields/names.ts';
import { suggestion } from '../rules/wording.ts';
import type { SdlCheck, SdlDraft, SdlField } from './sdl-rule.ts';

const SUFFIX = /Connection$/;

/** A connection is of a resource. */
export const connectionResource: SdlCheck = function* (draft) {
  const names = [...draft.resources.values()].map(({ name }) => name);
  for (const { field, coordinate } of connections(draft)) {
    const name = listedBy(field);
    if (names.includes(name)) continue;
    yield {
      message: `\`${coordinate}\` lists \`${name}\`, which is no resource.`,
      hint: suggestion(name, names),
      node: field.astNode?.type,
      coordinate,
    };
  }
};

/** A connection is found: by its name at the root, elsewhere by a property that refers to its parent. */
export const connectionPath: SdlCheck = function* (draft) {
  const resources = [...draft.resources.values()];
  for (const { type, field, coordinate, descriptor } of connections(draft)) {
    const listed = resources.find(({ name }) => name === listedBy(field));
    const parent = resources.find(({ name }) => name === type.name);
    const isRoot = type === draft.schema.getQueryType();
    if (!listed || !(isRoot || parent) || !isUnfound(descriptor, listed, parent)) continue;
    const rootParent = resources.find(({ key }) => key === listed.parent?.resource);
    yield {
      message: isRoot
        ? `\`${coordinate}\` lists \`${listed.name}\` by a name that no convention knows.`
        : `\`${coordinate}\` lists \`${listed.name}\`, of which not one certain property refers to \`${type.name}\`.`,
      hint: isRoot ? `Call it \`${rootListName(listed, rootParent)}\`.` : referring(listed, parent),
      node: field.astNode,
      coordinate,
    };
  }
};

/** The connection's own types have what Relay's cursor connections have. */
export const connectionShape: SdlCheck = function* (draft) {
  const names = new Set([...connections(draft)].map(({ field }) => listedBy(field)));
  for (const { name } of draft.resources.values()) {
    if (!names.has(name)) continue;
    for (const [type, fields] of Object.entries(shapeOf(name))) yield* missing(draft, type, fields);
  }
};

function* missing({ schema }: SdlDraft, name: string, fields: Readonly<Record<string, string>>) {
  const type = schema.getType(name);
  for (const [field, wanted] of Object.entries(fields)) {
    const found = isObjectType(type) ? type.getFields()[field] : undefined;
    if (found?.type.toString() === wanted) continue;
    yield {
      message: found
        ? `\`${name}.${field}\` is \`${found.type}\`, not \`${wanted}\`.`
        : `\`${name}\` lacks \`${field}\`.`,
      hint: `Write \`${field}: ${wanted}\`.`,
      node: found?.astNode ?? type?.astNode,
      coordinate: found ? `${name}.${field}` : name,
    };
  }
}

const shapeOf = (name: string): Readonly<Record<string, Readonly<Record<string, string>>>> => ({
  [`${name}Connection`]: { edges: `[${name}Edge!]!`, nodes: `[${name}!]!`, pageInfo: 'PageInfo!' },
  [`${name}Edge`]: { cursor: 'String!', node: `${name}!` },
  PageInfo: { hasNextPage: 'Boolean!', hasPreviousPage: 'Boolean!', startCursor: 'String', endCursor: 'String' },
});

function isUnfound(
  descriptor: SdlField['descriptor'],
  listed: ResourceDescriptor,
  parent: ResourceDescriptor | undefined,
): boolean {
  if (descriptor?.kind === 'custom') return true;
  return descriptor?.kind === 'connection' && !refers(listed, parent).includes(descriptor.property);
}

/** Properties of a resource that hold the id of another. */
function refers({ properties, parent }: ResourceDescriptor, target: ResourceDescriptor | undefined): string[] {
  const byReference = properties.filter(({ references }) => references && references.resource === target?.key);
  const byPath = parent && parent.resource === target?.key ? [parent.property] : [];
  return [...new Set([...byReference.map(({ name }) => name), ...byPath])];
}

function referring(listed: ResourceDescriptor, parent: ResourceDescriptor | undefined): string {
  const candidates = refers(listed, parent);
  if (candidates.length === 0) return `Give \`${listed.name}\` a property with \`x-references: ${parent?.name}\`.`;
  return `Add ${candidates.map((name) => `\`@by(property: "${name}")\``).join(' or ')}.`;
}

const listedBy = (field: SdlField['field']): string => getNamedType(field.type).name.replace(SUFFIX, '');

const connections = ({ fields }: SdlDraft): readonly SdlField[] =>
  fields.filter(({ field }) => SUFFIX.test(getNamedType(field.type).name) && !isDeliberate(field));

/** With `@operation` or `@parity` the author says that code answers it. */
const isDeliberate = ({ astNode }: SdlField['field']): boolean =>
  astNode?.directives?.some(({ name }) => name.value === 'operation' || name.value === 'parity') ?? false;
