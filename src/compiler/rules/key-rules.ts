import { isDeepStrictEqual } from 'node:util';
import type { PropertyDraft, ResourceDraft } from '../model/draft.ts';
import { extensionOf } from '../model/resources/describe-property.ts';
import { uniqueSets } from '../model/resources/describe-resource.ts';
import { ID_TYPES, namesOf } from './id-rules.ts';
import { atOperation, atProperty, atPropertyKeyword, atRequired } from './place.ts';
import type { Check, Fault } from './rule.ts';

/** A property that names one in a path in place of the id is unique, always there, and never changes. */
export const keyProperty: Check = function* ({ resources }) {
  for (const resource of resources)
    for (const { property, parameter } of namesOf(resource))
      if (property.name !== 'id') yield* faultsOf(resource, property, parameter);
};

function* faultsOf(resource: ResourceDraft, property: PropertyDraft, parameter: string): Generator<Fault> {
  const { name, schema, input, patch } = resource;
  const key = `\`${name}.${property.name}\` names one in \`{${parameter}}\`, but`;
  const fault = (message: string, hint: string, place: Pick<Fault, 'node' | 'key'>): Fault => ({
    severity: 'error',
    message: `${key} ${message}`,
    hint,
    ...place,
  });
  const another = `or call the parameter \`{${name.charAt(0).toLowerCase()}${name.slice(1)}Id}\`, if it is the id.`;
  if (!uniqueSets(resource).some((set) => set.length === 1 && set[0] === property.name))
    yield fault('is not unique.', `Add \`x-unique: true\` to it, ${another}`, atProperty(property));
  if (!property.required)
    yield fault(
      'is not always there.',
      `Add it to \`required\` of \`${name}\`, ${another}`,
      atRequired(schema, property.name),
    );
  if (!ID_TYPES.includes(property.type) || property.flat.nullable)
    yield fault(
      'is neither a text nor an integer.',
      `Choose another property, ${another}`,
      atPropertyKeyword(property, 'type'),
    );
  const patched = patch?.properties.get(property.name);
  if (patched)
    yield fault('a patch may change it.', `Remove it from \`${patch!.name}\`, ${another}`, atProperty(patched));
  else if (input?.properties.has(property.name) && extensionOf(property, 'x-immutable') !== true)
    yield fault('may be changed.', `Add \`x-immutable: true\` to it, ${another}`, atProperty(property));
}

/** Whoever may read one by its id may read it by a key, and nobody else. */
export const keyAccess: Check = function* ({ resources }) {
  for (const { operations, lookups } of resources) {
    for (const { operation } of lookups) {
      if (isDeepStrictEqual(operation.access, operations.get!.access)) continue;
      yield {
        severity: 'error',
        message: `\`${operation.operationId}\` and \`${operations.get!.operationId}\` read the same, but not for the same callers.`,
        hint: 'Give both the same `security`.',
        ...atOperation(operation, 'security'),
      };
    }
  }
};
