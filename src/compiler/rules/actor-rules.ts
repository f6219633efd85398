import { admitsAnonymous } from '../../descriptor/access.ts';
import { conventionNames } from '../../descriptor/convention-names.ts';
import { typeName } from '../json-schema/property-type.ts';
import type { PropertyDraft, ResourceDraft } from '../model/draft.ts';
import { originOf } from '../model/resources/describe-property.ts';
import { atProperty, atPropertyKeyword } from './place.ts';
import type { Check } from './rule.ts';

/** Who has made a resource, and changed it last, is the `sub` of a token, or nobody where no token is needed. */
export const actorProperty: Check = function* ({ resources }) {
  for (const { resource, property, writes } of actors(resources)) {
    const name = `\`${resource.name}.${property.name}\``;
    if (property.type !== 'uuid' && property.type !== 'string') {
      yield {
        severity: 'warning',
        message: `${name} is ${typeName(property.flat)}, which cannot hold the \`sub\` of a token, so the server does not set it.`,
        hint: 'Write `type: string`, preferably with `format: uuid`, or let an override set it.',
        ...atPropertyKeyword(property, 'type'),
      };
      continue;
    }
    const open = writes.find(({ access }) => admitsAnonymous(access));
    if (!open || property.flat.nullable || !property.required) continue;
    yield {
      severity: 'error',
      message: `${name} always has a value, but \`${open.operationId}\` allows anonymous callers.`,
      hint: `Make \`${property.name}\` nullable, or give \`${open.operationId}\` a \`security\` requirement.`,
      ...atProperty(property),
    };
  }
};

/** The properties that the server sets to the caller, and the operations that do. */
function* actors(resources: readonly ResourceDraft[]) {
  for (const resource of resources) {
    const { createdBy, updatedBy } = conventionNames(resource.nameCase);
    const { create, replace, update } = resource.operations;
    for (const [name, operations] of [
      [createdBy, [create, replace]],
      [updatedBy, [create, replace, update]],
    ] as const) {
      const property = actorOf(resource, name);
      const writes = operations.filter((operation) => operation !== undefined);
      if (property && writes.length > 0) yield { resource, property, writes };
    }
  }
}

/** Whether the server sets a property to the caller. */
export function isActor(resource: ResourceDraft, { name, type }: PropertyDraft): boolean {
  const { createdBy, updatedBy } = conventionNames(resource.nameCase);
  if (name !== createdBy && name !== updatedBy) return false;
  return (type === 'uuid' || type === 'string') && actorOf(resource, name) !== undefined;
}

const actorOf = (resource: ResourceDraft, name: string): PropertyDraft | undefined =>
  originOf(resource, name) === 'server' ? resource.schema.properties.get(name) : undefined;
