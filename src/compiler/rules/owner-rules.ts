import { admitsAnonymous } from '../../descriptor/access.ts';
import { conventionNames } from '../../descriptor/convention-names.ts';
import { suggestion } from '../findings/wording.ts';
import { isSchemaObject } from '../json-schema/flat-schema.ts';
import { typeName } from '../json-schema/property-type.ts';
import type { ContractDraft, PropertyDraft, ResourceDraft } from '../model/draft.ts';
import { originOf } from '../model/resources/describe-property.ts';
import { atProperty, atPropertyKeyword } from './place.ts';
import { rule } from './rule.ts';

export const ownerRules = [
  rule({
    id: 'owner-property',
    summary: 'The owner is a required property that can hold the `sub` of a token.',
    advice: 'Its type is `string` or `string/uuid`.',
    each: ownedResources,
    check({ resource: { name, schema }, rule: owner, node }) {
      const named = String(owner['property']);
      const property = schema.properties.get(named);
      const place = { node, key: 'x-owner' };
      const known = [...schema.properties.values()].filter(isSubject).map((one) => one.name);
      if (!property)
        return {
          message: `\`x-owner\` of \`${name}\` names \`${named}\`, which is not one of its properties.`,
          hint: suggestion(named, known),
          ...place,
        };
      if (!isSubject(property))
        return {
          message: `\`${name}.${named}\` is ${typeName(property.flat)}, which cannot equal the \`sub\` of a token.`,
          hint: 'An owner is `type: string`, preferably with `format: uuid`.',
          ...place,
        };
      return (
        (property.flat.nullable || !property.required) && {
          message: `\`${name}.${named}\` may be absent, so some rows would have no owner.`,
          hint: `List \`${named}\` in \`required\` of \`${name}\` and do not make it nullable.`,
          ...place,
        }
      );
    },
  }),
  rule({
    id: 'actor-property',
    summary: 'The creator of a row and the last to change it are the `sub` of a token.',
    advice: '`createdBy` and `updatedBy` are texts or UUIDs. They are nullable or optional if callers need no token.',
    each: ({ resources }) => resources.flatMap(actorsOf),
    check({ resource, property, writes }) {
      const name = `\`${resource.name}.${property.name}\``;
      if (!isSubject(property))
        return {
          severity: 'warning',
          message: `${name} is ${typeName(property.flat)}, which cannot hold the \`sub\` of a token, so the server does not set it.`,
          hint: 'Write `type: string`, preferably with `format: uuid`, or let an override set it.',
          ...atPropertyKeyword(property, 'type'),
        };
      const open = writes.find(({ access }) => admitsAnonymous(access));
      return (
        open !== undefined &&
        !property.flat.nullable &&
        property.required && {
          message: `${name} always has a value, but \`${open.operationId}\` allows anonymous callers.`,
          hint: `Make \`${property.name}\` nullable, or give \`${open.operationId}\` a \`security\` requirement.`,
          ...atProperty(property),
        }
      );
    },
  }),
];

/** Whether a property can hold the `sub` of a token. */
const isSubject = ({ type }: PropertyDraft): boolean => type === 'uuid' || type === 'string';

export function ownedResources({ resources }: ContractDraft) {
  return resources.flatMap((resource) => {
    const keyword = resource.schema.flat.keywords.get('x-owner');
    if (!keyword || !isSchemaObject(keyword.value) || typeof keyword.value['property'] !== 'string') return [];
    return [{ resource, rule: keyword.value, node: keyword.node }];
  });
}

/** The properties that the server sets to the caller, and the operations that do. */
function actorsOf(resource: ResourceDraft) {
  const { createdBy, updatedBy } = conventionNames(resource.nameCase);
  const { create, replace, update } = resource.operations;
  const actors = [
    { name: createdBy, operations: [create, replace] },
    { name: updatedBy, operations: [create, replace, update] },
  ];
  return actors.flatMap(({ name, operations }) => {
    const property = originOf(resource, name) === 'server' ? resource.schema.properties.get(name) : undefined;
    const writes = operations.filter((operation) => operation !== undefined);
    return property && writes.length > 0 ? [{ resource, property, writes }] : [];
  });
}

/** Whether the server sets a property to the caller. */
export function isActor(resource: ResourceDraft, property: PropertyDraft): boolean {
  const { createdBy, updatedBy } = conventionNames(resource.nameCase);
  const isNamed = property.name === createdBy || property.name === updatedBy;
  return isNamed && isSubject(property) && originOf(resource, property.name) === 'server';
}
