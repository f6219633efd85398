import { suggestion } from '../findings/wording.ts';
import { type FlatSchema, isSchemaObject } from '../json-schema/flat-schema.ts';
import { typeName, valueTypes } from '../json-schema/property-type.ts';
import { declaredTenant } from '../model/access/tenant-rule.ts';
import type { ObjectDraft, PropertyDraft, ResourceDraft } from '../model/draft.ts';
import { initialValue, originOf } from '../model/resources/describe-property.ts';
import { managedProperties } from '../model/resources/recognise.ts';
import { flatSchema } from '../model/schemas.ts';
import { isActor } from './actor-rules.ts';
import { atKeyword, atOperation, atProperty, atPropertyKeyword } from './place.ts';
import type { Check, Fault } from './rule.ts';

/** Inputs are named schemas: `<Name>Input` to create and replace, `<Name>Patch` to update. */
export const inputSchema: Check = function* ({ resources }) {
  for (const { name, input, patch, operations } of resources) {
    const whole = operations.create ?? operations.replace;
    if (whole !== undefined && input === undefined) {
      yield {
        severity: 'error',
        message: `\`${whole.method.toUpperCase()} ${whole.path}\` needs the object schema \`${name}Input\`, which the contract does not have.`,
        hint: `Add \`${name}Input\` to \`components.schemas\`, with the properties of \`${name}\` that callers set.`,
        ...atOperation(whole, 'requestBody'),
      };
    }
    if (operations.update !== undefined && patch === undefined) {
      yield {
        severity: 'error',
        message: `\`PATCH ${operations.update.path}\` needs the object schema \`${name}Patch\`, which the contract does not have.`,
        hint: `Add \`${name}Patch\` to \`components.schemas\`, with the properties of \`${name}\` that callers may change, none of them required.`,
        ...atOperation(operations.update, 'requestBody'),
      };
    }
  }
};

/**
 * Inputs have no managed properties, which the server sets, and no parent id, which the path sets. The id alone may be
 * the caller's choice, at creation.
 */
export const inputManaged: Check = function* ({ resources }) {
  for (const { resource, schema, property } of writtenProperties(resources)) {
    if (property.name === 'id' && schema === resource.input) continue;
    const managed = managedProperties(resource.nameCase).includes(property.name);
    if (!managed && resource.parent?.property !== property.name) continue;
    const setter = property.name === 'id' ? 'never changes' : managed ? 'the server sets' : 'the path sets';
    yield {
      severity: 'error',
      message: `\`${schema.name}\` has the property \`${property.name}\`, which ${setter}.`,
      hint: `Remove \`${property.name}\` from \`${schema.name}\`.`,
      ...atProperty(property),
    };
  }
};

/** Every property of an input is a property of the resource. */
export const inputUnknown: Check = function* ({ resources }) {
  for (const { resource, schema, property } of writtenProperties(resources)) {
    if (resource.schema.properties.has(property.name)) continue;
    yield {
      severity: 'error',
      message: `\`${schema.name}.${property.name}\` is not a property of \`${resource.name}\`, so it would be lost.`,
      hint: `${suggestion(property.name, [...resource.schema.properties.keys()])} Or add it to \`${resource.name}\`.`,
      ...atProperty(property),
    };
  }
};

/** A property has the same type in the resource and its inputs. */
export const inputType: Check = function* ({ resources }) {
  for (const { resource, schema, property } of writtenProperties(resources)) {
    const kept = resource.schema.properties.get(property.name);
    if (kept === undefined) continue;
    const [taken, shown] = [typeName(property.flat), typeName(kept.flat)];
    if (property.type !== kept.type || !sameKind(property, kept)) {
      yield {
        severity: 'error',
        message: `\`${schema.name}.${property.name}\` is ${taken}, but \`${resource.name}.${property.name}\` is ${shown}.`,
        hint: `Give both the same type and format, preferably by a \`$ref\` to one schema.`,
        ...atPropertyKeyword(property, 'type'),
      };
    }
    if (property.flat.nullable && !kept.flat.nullable && kept.required) {
      yield {
        severity: 'error',
        message: `\`${schema.name}.${property.name}\` allows null, but \`${resource.name}.${property.name}\` always has a value.`,
        hint: `Remove \`null\` here, or make the property nullable or optional in \`${resource.name}\`.`,
        ...atPropertyKeyword(property, 'type'),
      };
    }
  }
};

/** A required property of a resource has a value on creation. */
export const requiredInitial: Check = function* ({ document, resources }) {
  const tenant = declaredTenant(document)?.property;
  for (const resource of resources) {
    if (resource.operations.create === undefined || resource.input === undefined) continue;
    for (const property of resource.schema.properties.values()) {
      const origin = originOf(resource, property.name);
      const given = resource.input.flat.required.has(property.name);
      // Where callers need not send an id, the server makes one.
      if (origin === 'managed' || origin === 'parent' || property.name === 'id') continue;
      if (given || property.flat.nullable || !property.required) continue;
      if (initialValue(resource, property) !== undefined) continue;
      if (isOwner(resource, property) || isActor(resource, property)) continue;
      if (property.name === tenant) continue;
      yield {
        severity: 'error',
        message: `\`${resource.name}.${property.name}\` is required, but a new \`${resource.name}\` has no value for it.`,
        hint: `Give it a \`default\`, require it in \`${resource.input.name}\`, make it nullable, or remove it from \`required\`.`,
        ...atProperty(property),
      };
    }
  }
};

/** The enum values of an input are among those of the resource. */
export const inputEnum: Check = function* ({ resources }) {
  for (const { resource, schema, property } of writtenProperties(resources)) {
    const kept = resource.schema.properties.get(property.name)?.flat.keywords.get('enum')?.value;
    const taken = property.flat.keywords.get('enum')?.value;
    if (!Array.isArray(kept) || property.type === 'json') continue;
    const extra = Array.isArray(taken) ? taken.filter((value) => value !== null && !kept.includes(value)) : undefined;
    if (extra?.length === 0) continue;
    yield {
      severity: 'error',
      message:
        extra === undefined
          ? `\`${schema.name}.${property.name}\` allows any ${typeName(property.flat)}, but \`${resource.name}.${property.name}\` is an enum.`
          : `\`${schema.name}.${property.name}\` allows ${extra.join(', ')}, which \`${resource.name}.${property.name}\` does not list.`,
      hint: 'Use one enum for both, preferably by a `$ref` to one schema.',
      ...atKeyword(property.flat, 'enum'),
    };
  }
};

/** Texts and lists of an input are bounded, because they are stored, indexed and returned at any length. */
export const inputBounded: Check = function* ({ document, resources }) {
  for (const { schema, property } of writtenProperties(resources)) {
    const name = `${schema.name}.${property.name}`;
    const { flat } = property;
    const types = valueTypes(flat);
    const items = flat.keywords.get('items')?.value;
    const each = types.includes('array') && isSchemaObject(items) ? flatSchema(document, items) : undefined;
    if (types.includes('string') && !isBounded(flat) && property.name !== 'id')
      yield unbounded(`\`${name}\` accepts a text`, 'maxLength', property);
    if (types.includes('array') && !flat.keywords.has('maxItems'))
      yield unbounded(`\`${name}\` accepts a list`, 'maxItems', property);
    if (each && valueTypes(each).includes('string') && !isBounded(each))
      yield unbounded(`\`${name}\` accepts entries with texts`, 'maxLength', property);
  }
};

/** Formats whose values have a limited length. */
const BOUNDED_FORMATS = new Set(['uuid', 'date', 'date-time', 'ipv4', 'ipv6', 'int64']);

/** Whether a schema limits the length of a text. */
export function isBounded({ keywords }: FlatSchema): boolean {
  if (['maxLength', 'enum', 'const'].some((keyword) => keywords.has(keyword))) return true;
  const [format, pattern] = [keywords.get('format')?.value, keywords.get('pattern')?.value];
  return BOUNDED_FORMATS.has(String(format)) || isBoundedPattern(String(pattern));
}

/** Whether a pattern matches the whole text and bounds all repetitions. */
function isBoundedPattern(pattern: string): boolean {
  const bare = pattern.replace(/\\.|\[(?:\\.|[^\]])*\]/g, '_');
  return /^\^.*\$$/.test(bare) && !/[*+]|\{\d+,\}/.test(bare);
}

const unbounded = (what: string, keyword: string, property: PropertyDraft): Fault => ({
  severity: 'warning',
  message: `${what} of any length.`,
  hint: `Add \`${keyword}\`.`,
  ...atProperty(property),
});

/** The properties of inputs and patches. */
export function* writtenProperties(resources: readonly ResourceDraft[]) {
  for (const resource of resources) {
    for (const schema of [resource.input, resource.patch]) {
      for (const property of schema?.properties.values() ?? [])
        yield { resource, schema: schema as ObjectDraft, property };
    }
  }
}

function sameKind(a: PropertyDraft, b: PropertyDraft): boolean {
  return valueTypes(a.flat).toSorted().join() === valueTypes(b.flat).toSorted().join();
}

function isOwner({ schema }: ResourceDraft, property: PropertyDraft): boolean {
  const owner = schema.flat.keywords.get('x-owner')?.value as { property?: string } | undefined;
  return owner?.property === property.name;
}
