import { getNamedType } from 'graphql';
import { parentOf } from '../../../descriptor/levels.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import { suggestion } from '../../findings/wording.ts';
import { kebabCase, schemaNamed } from '../../model/index.ts';
import { isDeliberate } from '../convention/directives.ts';
import { rootListName } from '../convention/names.ts';
import type { SdlDraft, SdlField, SdlRule } from './sdl-rule.ts';

const SUFFIX = /Connection$/;

export const connectionResource: SdlRule = {
  id: 'sdl-connection-resource',
  summary: 'A connection lists a resource.',
  advice: 'Other lists are fields with `@operation`.',
  *check(draft) {
    const names = [...draft.resources.values()].map(({ name }) => name);
    for (const { field, coordinate } of connections(draft)) {
      const name = listedBy(field);
      if (names.includes(name)) continue;
      yield {
        message: `\`${coordinate}\` lists \`${name}\`, which is not a resource.`,
        hint: suggestion(name, names),
        node: field.astNode?.type,
        coordinate,
      };
    }
  },
};

export const connectionPath: SdlRule = {
  id: 'sdl-connection-path',
  summary: 'A connection has a conventional name.',
  advice: 'At the root it is the name of the collection. Elsewhere, exactly one property refers to its parent.',
  *check(draft) {
    const resources = [...draft.resources.values()];
    for (const { type, field, coordinate, descriptor } of connections(draft)) {
      const listed = resources.find(({ name }) => name === listedBy(field));
      const parent = resources.find(({ name }) => name === type.name);
      const isRoot = type === draft.schema.getQueryType();
      if (!listed || !(isRoot || parent) || !isUnfound(descriptor, listed, parent)) continue;
      const rootParent = parentOf(resources, listed);
      yield {
        message: isRoot
          ? `\`${coordinate}\` lists \`${listed.name}\` under a name that the conventions do not know.`
          : `\`${coordinate}\` lists \`${listed.name}\`, but it is not clear which of its properties refers to \`${type.name}\`.`,
        hint: isRoot ? `Name it \`${rootListName(listed, rootParent)}\`.` : referring(listed, parent!, field.name),
        node: field.astNode,
        coordinate,
      };
    }
  },
};

export const connectionInverse: SdlRule = {
  id: 'sdl-connection-inverse',
  summary: 'A connection has the name that `x-inverse` gives to the reference that it follows back.',
  advice: 'Conditions of `x-access` use the same name.',
  *check(draft) {
    for (const { field, coordinate, descriptor } of connections(draft)) {
      if (descriptor?.kind !== 'connection') continue;
      const listed = draft.resources.get(descriptor.resource);
      const property = listed?.properties.find(({ name }) => name === descriptor.property);
      const inverse = property?.references?.inverse;
      if (inverse === undefined || inverse === field.name) continue;
      yield {
        message: `\`${coordinate}\` lists what \`${listed?.name}.${descriptor.property}\` refers back to; its \`x-inverse\` is \`${inverse}\`.`,
        hint: `Name the field \`${inverse}\`, or write \`x-inverse: ${field.name}\`.`,
        node: field.astNode,
        coordinate,
      };
    }
  },
};

function isUnfound(
  descriptor: SdlField['descriptor'],
  listed: ResourceDescriptor,
  parent: ResourceDescriptor | undefined,
): boolean {
  if (descriptor?.kind === 'custom') return true;
  if (descriptor?.kind === 'connection' && descriptor.through !== undefined) return false;
  return descriptor?.kind === 'connection' && !refers(listed, parent).includes(descriptor.property);
}

/** The properties of a resource that refer to another. */
function refers({ properties, parent }: ResourceDescriptor, target: ResourceDescriptor | undefined): string[] {
  const byReference = properties.filter(({ references }) => references && references.resource === target?.key);
  const byPath = parent && parent.resource === target?.key ? [parent.property] : [];
  return [...new Set([...byReference.map(({ name }) => name), ...byPath])];
}

function referring(listed: ResourceDescriptor, parent: ResourceDescriptor, name: string): string {
  const candidates = refers(listed, parent);
  const path = `${parent.path}/{${parent.idParameter}}/${kebabCase(name)}`;
  if (candidates.length === 0)
    return `Give \`${listed.name}\` a property with \`x-references: ${parent.name}\`, or the document \`GET ${path}\` with \`x-through\`.`;
  return `Add ${candidates.map((name) => `\`@by(property: "${name}")\``).join(' or ')}.`;
}

const listedBy = (field: SdlField['field']): string => getNamedType(field.type).name.replace(SUFFIX, '');

/** With `@operation` or `@parity`, the author declares that custom code resolves a field; a schema may be called `WebConnection`, too. */
const connections = ({ fields, schema, document }: SdlDraft): readonly SdlField[] =>
  fields.filter(({ field }) => {
    const { name } = getNamedType(field.type);
    return SUFFIX.test(name) && schemaNamed(document, name) === undefined && !isDeliberate(schema, field);
  });
