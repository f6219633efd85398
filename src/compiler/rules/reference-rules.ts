import { suggestion } from '../findings/wording.ts';
import { typeName } from '../json-schema/property-type.ts';
import type { PropertyDraft, ResourceDraft } from '../model/draft.ts';
import { extensionOf } from '../model/resources/describe-property.ts';
import { namedSchemas } from '../model/schemas.ts';
import { idOf, yamlOf } from './id-rules.ts';
import { atProperty, atPropertyKeyword } from './place.ts';
import type { Check } from './rule.ts';

/** A reference names a resource of this contract. */
export const referenceTarget: Check = function* ({ document, resources }) {
  const names = resources.map(({ name }) => name);
  for (const { resource, property } of propertiesWith(resources, 'x-references')) {
    const target = String(extensionOf(property, 'x-references'));
    const parent = resource.parent?.property === property.name ? resource.parent.resource : undefined;
    if (!names.includes(target)) {
      const known = Object.hasOwn(namedSchemas(document), target);
      yield {
        severity: 'error',
        message: `\`${resource.name}.${property.name}\` refers to \`${target}\`, which is not a ${known ? 'resource' : 'schema of this contract'}.`,
        hint: `${suggestion(target, names)} A resource is what \`GET /collection/{id}\` returns.`,
        ...atPropertyKeyword(property, 'x-references'),
      };
    } else if (parent !== undefined && parent.name !== target) {
      yield {
        severity: 'error',
        message: `\`${resource.name}.${property.name}\` refers to \`${target}\`, but the path makes it the id of a \`${parent.name}\`.`,
        hint: `Write \`x-references: ${parent.name}\`, or remove it: a child refers to its parent implicitly.`,
        ...atPropertyKeyword(property, 'x-references'),
      };
    }
  }
};

/** A reference has the type of the id that it holds. */
export const referenceType: Check = function* ({ resources }) {
  for (const { resource, property } of propertiesWith(resources, 'x-references')) {
    const target = resources.find(({ name }) => name === extensionOf(property, 'x-references'));
    const id = target && idOf(target);
    if (!id || property.type === id.type) continue;
    yield {
      severity: 'error',
      message: `\`${resource.name}.${property.name}\` refers to a \`${target.name}\`, whose id is ${typeName(id.flat)}, but is ${typeName(property.flat)}.`,
      hint: `Write \`${yamlOf(id.flat)}\`; for several references, add a resource that links the two.`,
      ...atPropertyKeyword(property, 'type'),
    };
  }
};

/** `x-on-delete` is on a reference, and can be applied to it. */
export const onDelete: Check = function* ({ resources }) {
  for (const { resource, property } of propertiesWith(resources, 'x-on-delete')) {
    const isParent = resource.parent?.property === property.name;
    if (extensionOf(property, 'x-references') === undefined && !isParent) {
      yield {
        severity: 'error',
        message: `\`${resource.name}.${property.name}\` has \`x-on-delete\`, but is not a reference.`,
        hint: 'Add `x-references` with the name of a resource, or remove `x-on-delete`.',
        ...atPropertyKeyword(property, 'x-on-delete'),
      };
    }
    if (extensionOf(property, 'x-on-delete') === 'set-null' && (isParent || always(property))) {
      yield {
        severity: 'error',
        message: `\`${resource.name}.${property.name}\` is required, so \`set-null\` cannot clear it.`,
        hint: isParent
          ? 'A child cannot exist without its parent: write `cascade` or `restrict`.'
          : "Make it nullable (`type: [string, 'null']`), remove it from `required`, or write `cascade` or `restrict`.",
        ...atPropertyKeyword(property, 'x-on-delete'),
      };
    }
  }
};

/** Unique keys consist of properties with scalar values. */
export const uniqueProperties: Check = function* ({ resources }) {
  for (const { name, schema } of resources) {
    const keyword = schema.flat.keywords.get('x-unique');
    const sets = Array.isArray(keyword?.value) ? keyword.value : [];
    for (const member of sets.flat()) {
      const property = schema.properties.get(String(member));
      if (property !== undefined && property.type !== 'json') continue;
      yield {
        severity: 'error',
        message: `\`x-unique\` of \`${name}\` names \`${String(member)}\`, which is ${property === undefined ? 'not one of its properties' : 'an object or an array'}.`,
        hint: suggestion(String(member), scalars(schema.properties.values())),
        node: keyword!.node,
        key: 'x-unique',
      };
    }
  }
  for (const { resource, property } of propertiesWith(resources, 'x-unique')) {
    if (property.type !== 'json' || extensionOf(property, 'x-unique') !== true) continue;
    yield {
      severity: 'error',
      message: `\`${resource.name}.${property.name}\` is unique, but is ${typeName(property.flat)}.`,
      hint: 'Only scalar properties can be unique.',
      ...atProperty(property),
    };
  }
};

/** The properties of resources that carry an extension. */
export function* propertiesWith(resources: readonly ResourceDraft[], extension: string) {
  for (const resource of resources) {
    for (const property of resource.schema.properties.values()) {
      if (property.flat.keywords.has(extension)) yield { resource, property };
    }
  }
}

function always(property: PropertyDraft): boolean {
  return property.required && !property.flat.nullable;
}

function scalars(properties: Iterable<PropertyDraft>): readonly string[] {
  return [...properties].filter(({ type }) => type !== 'json').map(({ name }) => name);
}
