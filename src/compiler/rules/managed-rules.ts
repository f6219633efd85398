import type { NameCase } from '../../descriptor/convention-names.ts';
import { allOf } from '../findings/wording.ts';
import { typeName } from '../json-schema/property-type.ts';
import type { ObjectDraft, PropertyDraft } from '../model/draft.ts';
import { managedProperties } from '../model/resources/recognise.ts';
import { ID_TYPES } from './id-rules.ts';
import { atKeyword, atPropertyKeyword } from './place.ts';
import type { Check } from './rule.ts';

/** The managed properties have the types that the server gives them. An error in a shared schema is reported once. */
export const managedPropertyType: Check = function* ({ resources }) {
  const checked = new Set<object>();
  for (const { schema, nameCase } of resources) {
    for (const property of managedOf(schema, nameCase)) {
      const fault = checked.has(property.holder) ? undefined : wrongType(property);
      if (fault === undefined) continue;
      const nullable = property.flat.nullable ? 'nullable ' : '';
      yield {
        severity: 'error',
        message: `\`${schema.name}.${property.name}\` is ${nullable}${typeName(property.flat)}, ${fault.because}`,
        hint: fault.hint,
        ...atPropertyKeyword(property, 'type'),
      };
    }
    for (const { holder } of managedOf(schema, nameCase)) checked.add(holder);
  }
};

function wrongType({ name, type, flat }: PropertyDraft): { because: string; hint: string } | undefined {
  if (name === 'id') {
    if (ID_TYPES.includes(type) && !flat.nullable) return undefined;
    return { because: 'which cannot be an id.', hint: ID_HINT };
  }
  const wanted = name === 'version' ? 'integer' : 'string/date-time';
  if (typeName(flat).replace('integer/int32', 'integer') === wanted && !flat.nullable) return undefined;
  return { because: `but the server sets it to ${wanted}.`, hint: `Write \`${yamlType(wanted)}\`.` };
}

const ID_HINT =
  'Write `type: string, format: uuid` for ids that the server makes, `type: integer` for ids that the database counts, or `type: string` for ids that callers send.';

/** The managed properties are required. */
export const managedPropertyRequired: Check = function* ({ resources }) {
  for (const { schema, nameCase } of resources) {
    const missing = managedOf(schema, nameCase).filter(({ required }) => !required);
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

function managedOf({ properties }: ObjectDraft, nameCase: NameCase): readonly PropertyDraft[] {
  return managedProperties(nameCase).map((name) => properties.get(name)!);
}

function yamlType(type: string): string {
  const [name, format] = type.split('/');
  return format === undefined ? `type: ${name}` : `type: ${name}, format: ${format}`;
}
