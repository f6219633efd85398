import { typeName } from '../json-schema/property-type.ts';
import type { ObjectDraft, PropertyDraft } from '../model/draft.ts';
import { MANAGED_PROPERTIES } from '../resources/recognise.ts';
import { atKeyword, atPropertyKeyword } from './place.ts';
import type { Check } from './rule.ts';
import { allOf } from './wording.ts';

const MANAGED_TYPES = {
  id: 'string/uuid',
  version: 'integer',
  createdAt: 'string/date-time',
  updatedAt: 'string/date-time',
};

/** The managed properties have the types that the server gives them. An error in a shared schema is reported once. */
export const managedPropertyType: Check = function* ({ resources }) {
  const checked = new Set<object>();
  for (const { schema } of resources) {
    for (const [name, type] of Object.entries(MANAGED_TYPES)) {
      const property = schema.properties.get(name)!;
      const actual = typeName(property.flat).replace('integer/int32', 'integer');
      const sound = actual === type && !property.flat.nullable;
      if (!sound && !checked.has(property.holder)) {
        yield {
          severity: 'error',
          message: `\`${schema.name}.${name}\` is ${property.flat.nullable ? 'nullable ' : ''}${actual}, but the server sets it to ${type}.`,
          hint: `Write \`${yamlType(type)}\`.`,
          ...atPropertyKeyword(property, 'type'),
        };
      }
    }
    for (const { holder } of managedOf(schema)) checked.add(holder);
  }
};

/** The managed properties are required. */
export const managedPropertyRequired: Check = function* ({ resources }) {
  for (const { schema } of resources) {
    const missing = managedOf(schema).filter(({ required }) => !required);
    if (missing.length === 0) continue;
    const names = allOf(missing.map(({ name }) => name));
    yield {
      severity: 'error',
      message: `\`${schema.name}\` always has ${names}, but \`required\` does not say so.`,
      hint: `Add ${names} to \`required\` of \`${schema.name}\`.`,
      ...atKeyword(schema.flat, 'required'),
    };
  }
};

function managedOf({ properties }: ObjectDraft): readonly PropertyDraft[] {
  return MANAGED_PROPERTIES.map((name) => properties.get(name)!);
}

function yamlType(type: string): string {
  const [name, format] = type.split('/');
  return format === undefined ? `type: ${name}` : `type: ${name}, format: ${format}`;
}
