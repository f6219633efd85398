import { isDeepStrictEqual } from 'node:util';
import { withArticle } from '../../descriptor/article.ts';
import type { ResourceDraft } from '../model/draft.ts';
import { lowerFirst } from '../model/naming.ts';
import { extensionOf } from '../model/resources/describe-property.ts';
import { uniqueSets } from '../model/resources/object-draft.ts';
import { ID_TYPES, idOf, namesOf, yamlOf } from './id-rules.ts';
import { atOperation, atProperty, atPropertyKeyword, atRequired } from './place.ts';
import { type Fault, rule } from './rule.ts';
import { theResources } from './subjects.ts';

export const keyRules = [
  rule({
    id: 'key-property',
    summary: 'A property used as the key of a path is unique, required, immutable, and a text or an integer.',
    advice:
      'Add `x-unique` and `x-immutable` to it and list it in `required`. If the path contains the id, name the parameter after it: `{bookId}`.',
    each: ({ resources }) => resources.flatMap(namesOf).filter(({ property }) => property.name !== 'id'),
    *check({ resource, property, parameter }) {
      const { name, schema, input, patch } = resource;
      const key = `\`${name}.${property.name}\` names one in \`{${parameter}}\`, but`;
      const another = `or call the parameter \`{${lowerFirst(name)}Id}\`, if it is the id.`;
      const patched = patch?.properties.get(property.name);
      if (!uniqueSets(resource).some((set) => set.length === 1 && set[0] === property.name))
        yield {
          message: `${key} is not unique.`,
          hint: `Add \`x-unique: true\` to it, ${another}`,
          ...atProperty(property),
        };
      if (!property.required)
        yield {
          message: `${key} is not always there.`,
          hint: `Add it to \`required\` of \`${name}\`, ${another}`,
          ...atRequired(schema, property.name),
        };
      if (!ID_TYPES.includes(property.type) || property.flat.nullable)
        yield {
          message: `${key} is neither a text nor an integer.`,
          hint: `Choose another property, ${another}`,
          ...atPropertyKeyword(property, 'type'),
        };
      if (patched)
        yield {
          message: `${key} a patch may change it.`,
          hint: `Remove it from \`${patch?.name}\`, ${another}`,
          ...atProperty(patched),
        };
      else if (input?.properties.has(property.name) && extensionOf(property, 'x-immutable') !== true)
        yield {
          message: `${key} may be changed.`,
          hint: `Add \`x-immutable: true\` to it, ${another}`,
          ...atProperty(property),
        };
    },
  }),
  rule({
    id: 'key-access',
    summary: 'Reading a row by its id and by another key requires the same access.',
    advice: 'Give both operations the same `security`.',
    each: ({ resources }) =>
      resources.flatMap(({ operations: { get }, further }) =>
        further.flatMap(({ action, operation }) => (action === 'get' ? [{ get, operation }] : [])),
      ),
    check: ({ get, operation }) =>
      !isDeepStrictEqual(operation.access, get.access) && {
        message: `\`${operation.operationId}\` and \`${get.operationId}\` read the same, but not for the same callers.`,
        hint: 'Give both the same `security`.',
        ...atOperation(operation, 'security'),
      },
  }),
  rule({
    id: 'sub-resource',
    summary: 'A sub-resource is below a resource and has the id of its parent.',
    advice: 'Add a required property with the name of the path parameter; below `/books/{isbn}`, `bookId`.',
    each: theResources,
    check: (resource) => (resource.parent ? faultsBelow(resource, resource.parent) : []),
  }),
];
function* faultsBelow(
  { name, path, schema, operations }: ResourceDraft,
  { resource: above, parameter, property }: NonNullable<ResourceDraft['parent']>,
): Iterable<Fault> {
  if (!above) {
    const parentPath = path.slice(0, path.lastIndexOf('}') + 1);
    yield {
      message: `\`${path}\` is below \`{${parameter}}\`, which is not the id of a resource.`,
      hint: `Declare \`GET ${parentPath}\` with a resource as its 200 response, or move \`${name}\` to a top-level collection.`,
      ...atOperation(operations.get),
    };
    return;
  }
  if (parameter !== above.idParameter)
    yield {
      message: `\`${path}\` names the id of ${withArticle(`\`${above.name}\``)} \`{${parameter}}\`, but \`${above.path}\` names it \`{${above.idParameter}}\`.`,
      hint: `Write \`{${above.idParameter}}\` in both.`,
      ...atOperation(operations.get),
    };
  const id = idOf(above);
  if (schema.properties.get(property)?.type !== id.type || !schema.flat.required.has(property))
    yield {
      message: `\`${name}\` has no property with the id of its \`${above.name}\`.`,
      hint: `Add the required property \`${property}: { ${yamlOf(id.flat)} }\` to \`${name}\`; the path sets it.`,
      node: schema.node,
      key: 'properties',
    };
}
