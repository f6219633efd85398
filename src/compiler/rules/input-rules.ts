import { suggestion } from '../findings/wording.ts';
import { isSchemaObject } from '../json-schema/flat-schema.ts';
import { typeName, valueTypes } from '../json-schema/property-type.ts';
import { declaredTenant } from '../model/access/tenant-rule.ts';
import type { PropertyDraft, ResourceDraft } from '../model/draft.ts';
import { extensionOf, initialValue, originOf } from '../model/resources/describe-property.ts';
import { managedProperties } from '../model/resources/recognise.ts';
import { flatSchema } from '../model/schemas.ts';
import { patchDefaults } from '../read/complete/patch-defaults.ts';
import { excessOf, valuesOf } from './input-range.ts';
import { isActor } from './owner-rules.ts';
import { isBounded } from './patterns.ts';
import { atKeyword, atOperation, atProperty, atPropertyKeyword, atRequired } from './place.ts';
import { type Fault, rule } from './rule.ts';
import { propertiesWith, theResources, type WrittenProperty, writtenProperties } from './subjects.ts';

export const inputRules = [
  rule({
    id: 'required-initial',
    summary: 'A required property has a value on creation.',
    advice: 'Require it in the input, or give it a `default`, `x-transitions` or an owner.',
    each: propertiesWith(),
    check({ resource, property }, { document }) {
      const { name, input, operations } = resource;
      const origin = originOf(resource, property.name);
      // Where callers need not send an id, the server makes one.
      if (!operations.create || !input || ['managed', 'parent'].includes(origin) || property.name === 'id') return;
      const isSet =
        input.flat.required.has(property.name) ||
        initialValue(resource, property) !== undefined ||
        isOwner(resource, property) ||
        isActor(resource, property) ||
        property.name === declaredTenant(document)?.property;
      // A table of others has defaults and triggers.
      if (isSet || property.flat.nullable || !property.required || resource.mapped) return;
      return {
        message: `\`${name}.${property.name}\` is required, but a new \`${name}\` has no value for it.`,
        hint: `Give it a \`default\`, require it in \`${input.name}\`, make it nullable, or remove it from \`required\`.`,
        ...atProperty(property),
      };
    },
  }),
  rule({
    id: 'input-schema',
    summary: 'Inputs are named schemas.',
    advice: '`BookInput` creates and replaces, `BookPatch` updates.',
    each: theResources,
    *check({ name, input, patch, operations: { create, replace, update } }) {
      const whole = create ?? replace;
      if (whole && !input)
        yield {
          message: `\`${whole.method.toUpperCase()} ${whole.path}\` needs the object schema \`${name}Input\`, which the contract does not have.`,
          hint: `Add \`${name}Input\` to \`components.schemas\`, with the properties of \`${name}\` that callers set.`,
          ...atOperation(whole, 'requestBody'),
        };
      if (update && !patch)
        yield {
          message: `\`PATCH ${update.path}\` needs the object schema \`${name}Patch\`, which the contract does not have.`,
          hint: `Add \`${name}Patch\` to \`components.schemas\`, with the properties of \`${name}\` that callers may change, none of them required.`,
          ...atOperation(update, 'requestBody'),
        };
    },
  }),
  rule({
    id: 'input-managed',
    summary:
      'Inputs omit properties that the server, the path or the token sets; patches also omit immutable properties.',
    advice: 'Their values would be lost. Only the id may be chosen by callers, at creation.',
    each: writtenProperties,
    *check(written, { document }) {
      const { schema, resource, property, isPatch } = written;
      const setter = setterOf(written);
      const place = atProperty(property);
      const hint = `Remove \`${property.name}\` from \`${schema.name}\``;
      const has = `\`${schema.name}\` has the property \`${property.name}\`, which`;
      if (setter !== undefined) yield { message: `${has} ${setter}.`, hint: `${hint}.`, ...place };
      const tenant = declaredTenant(document);
      if (property.name === tenant?.property)
        yield {
          message: `${has} the claim \`${tenant.claim.join('.')}\` of the caller's token sets.`,
          hint: `${hint}.`,
          ...place,
        };
      const kept = resource.schema.properties.get(property.name);
      if (isPatch && kept && extensionOf(kept, 'x-immutable') === true)
        yield {
          message: `${has} can only be set on creation (\`x-immutable\`).`,
          hint: `${hint}, or \`x-immutable\` from \`${resource.name}.${property.name}\`.`,
          ...place,
        };
    },
  }),
  rule({
    id: 'input-unknown',
    summary: 'Every property of an input is a property of the resource.',
    advice: 'Add it to the resource, or remove it. Its value would be lost.',
    each: writtenProperties,
    check: ({ resource: { name, schema: kept }, schema, property }) =>
      !kept.properties.has(property.name) && {
        message: `\`${schema.name}.${property.name}\` is not a property of \`${name}\`, so it would be lost.`,
        hint: `${suggestion(property.name, [...kept.properties.keys()])} Or add it to \`${name}\`.`,
        ...atProperty(property),
      },
  }),
  rule({
    id: 'input-type',
    summary: 'A property has the same type in the resource and in its inputs.',
    advice: 'Use one schema for both, by a `$ref`. A written value must be readable.',
    each: writtenProperties,
    *check({ resource, schema, property }) {
      const kept = resource.schema.properties.get(property.name);
      if (!kept) return;
      const [taken, shown] = [`\`${schema.name}.${property.name}\``, `\`${resource.name}.${property.name}\``];
      if (property.type !== kept.type || kindOf(property) !== kindOf(kept))
        yield {
          message: `${taken} is ${typeName(property.flat)}, but ${shown} is ${typeName(kept.flat)}.`,
          hint: 'Give both the same type and format, preferably by a `$ref` to one schema.',
          ...atPropertyKeyword(property, 'type'),
        };
      if (property.flat.nullable && !kept.flat.nullable && kept.required)
        yield {
          message: `${taken} allows null, but ${shown} always has a value.`,
          hint: `Remove \`null\` here, or make the property nullable or optional in \`${resource.name}\`.`,
          ...atPropertyKeyword(property, 'type'),
        };
    },
  }),
  rule({
    id: 'input-range',
    summary: 'An input accepts only values that the resource may have.',
    advice:
      'It has the same enum values, bounds and pattern. Use one schema for both, by a `$ref`: stored values are returned unchanged.',
    each: writtenProperties,
    *check(written, { document }) {
      const { resource, schema, property } = written;
      yield* otherValues(written);
      const kept = resource.schema.properties.get(property.name);
      // What cannot be decided, such as whether one pattern is within another, is left to the author.
      const excess = kept?.type === property.type && excessOf(document, property.flat, kept.flat, property.name);
      if (!excess) return;
      const { taken, keyword, path } = excess;
      const isWritten = valuesOf(taken, keyword).length > 0;
      yield {
        message: `\`${schema.name}.${path}\` accepts values that \`${resource.name}.${path}\` may not have: ${isWritten ? `its \`${keyword}\` is wider` : `it has no \`${keyword}\``}.`,
        hint: 'Give both the same bounds, preferably by a `$ref` to one schema.',
        ...(isWritten ? atKeyword(taken, keyword) : atProperty(property)),
      };
    },
  }),
  rule({
    id: 'input-bounded',
    summary: 'Texts and lists of an input are bounded.',
    advice: 'Add `maxLength` or `maxItems`. Unbounded values would be stored, indexed and returned at any length.',
    severity: 'warning',
    each: writtenProperties,
    *check({ schema, property }, { document }) {
      const { flat, name } = property;
      const types = valueTypes(flat);
      const items = flat.keywords.get('items')?.value;
      const each = types.includes('array') && isSchemaObject(items) ? flatSchema(document, items) : undefined;
      const unbounded = (what: string, keyword: string): Fault => ({
        message: `\`${schema.name}.${name}\` accepts ${what} of any length.`,
        hint: `Add \`${keyword}\`.`,
        ...atProperty(property),
      });
      if (types.includes('string') && !isBounded(flat) && name !== 'id') yield unbounded('a text', 'maxLength');
      if (types.includes('array') && !flat.keywords.has('maxItems')) yield unbounded('a list', 'maxItems');
      if (each && valueTypes(each).includes('string') && !isBounded(each))
        yield unbounded('entries with texts', 'maxLength');
    },
  }),
  rule({
    id: 'patch-required',
    summary: 'A merge patch has no required properties.',
    advice: 'A patch contains only the changes (RFC 7396).',
    each: ({ resources }) => resources.flatMap(({ patch }) => patch ?? []),
    check: (patch) =>
      [...patch.flat.required.keys()].map((name) => ({
        message: `\`${patch.name}\` requires \`${name}\`, but a merge patch contains only changes.`,
        hint: `Remove \`required\` from \`${patch.name}\`.`,
        ...atRequired(patch, name),
      })),
  }),
  rule({
    id: 'patch-default',
    summary: 'A merge patch has no defaults.',
    advice:
      'Generated clients would send the default and overwrite the stored value. Write it next to the `$ref` in the input. The published document omits defaults of patches.',
    severity: 'warning',
    each: patchDefaults,
    check: ({ node, schema }) => ({
      message: `${schema === undefined ? 'A merge patch has a default' : `\`${schema}\` has a default and is part of a merge patch`}: generated clients would send it with every patch.`,
      hint: 'Write the default next to the `$ref` in the input, for new resources. The published document omits it from patches.',
      node,
      key: 'default',
    }),
  }),
];

/** Who sets a property that callers do not. */
function setterOf({ resource, property: { name }, isPatch }: WrittenProperty): string | undefined {
  if (name === 'id') return isPatch ? 'never changes' : undefined;
  if (managedProperties(resource.nameCase).includes(name)) return 'the server sets';
  return resource.parent?.property === name ? 'the path sets' : undefined;
}

/** Which values of an enum there are. */
function* otherValues({ resource, schema, property }: WrittenProperty): Iterable<Fault> {
  const kept = resource.schema.properties.get(property.name)?.flat.keywords.get('enum')?.value;
  const taken = property.flat.keywords.get('enum')?.value;
  if (!Array.isArray(kept) || property.type === 'json') return;
  const extra = Array.isArray(taken) ? taken.filter((value) => value !== null && !kept.includes(value)) : undefined;
  if (extra?.length === 0) return;
  const [written, shown] = [`\`${schema.name}.${property.name}\``, `\`${resource.name}.${property.name}\``];
  yield {
    message: extra
      ? `${written} allows ${extra.join(', ')}, which ${shown} does not list.`
      : `${written} allows any ${typeName(property.flat)}, but ${shown} is an enum.`,
    hint: 'Use one enum for both, preferably by a `$ref` to one schema.',
    ...atKeyword(property.flat, 'enum'),
  };
}

const kindOf = ({ flat }: PropertyDraft): string => valueTypes(flat).toSorted().join();

function isOwner({ schema }: ResourceDraft, property: PropertyDraft): boolean {
  const owner = schema.flat.keywords.get('x-owner')?.value as { property?: string } | undefined;
  return owner?.property === property.name;
}
