import { valueTypes } from '../json-schema/property-type.ts';
import { schemaNameOf } from '../json-schema/references.ts';
import { jsonContent, responseOf } from '../model/responses.ts';
import { inlineObjectDraft } from '../resources/object-draft.ts';
import { MANAGED_PROPERTIES } from '../resources/recognise.ts';
import { atOperation, atPropertyKeyword, atRequired } from './place.ts';
import type { Check } from './rule.ts';
import { allOf } from './wording.ts';

/** What has some of the managed properties but not all is most likely meant to be a resource. */
export const resourceManaged: Check = function* ({ nearMisses }) {
  for (const { get, fault, name, node, missing, severity } of nearMisses) {
    if (fault !== 'managed') continue;
    yield {
      severity,
      message: `\`${name}\` lacks ${allOf(missing)}, so that \`${get.path}\` is no resource and all its operations need handlers.`,
      hint: `Add ${allOf(missing)} to its properties and to \`required\`; a resource has ${allOf(MANAGED_PROPERTIES)}.`,
      node,
      key: 'properties',
    };
  }
};

/** A resource has a name, because its input, patch and page are named after it. */
export const resourceSchemaNamed: Check = function* ({ nearMisses }) {
  for (const { get, fault, node, severity } of nearMisses) {
    if (fault !== 'inline') continue;
    yield {
      severity,
      message: `\`GET ${get.path}\` answers an inline schema, so that it is no resource and all its operations need handlers.`,
      hint: 'Move the schema to `components.schemas` under the name of the resource and write a `$ref` to it here.',
      node,
    };
  }
};

/** A collection of resources that has no `GET /collection/{id}` is not recognised. */
export const resourceGet: Check = function* ({ document, operations, resources }) {
  const names = new Set(resources.map(({ name }) => name));
  for (const operation of operations) {
    const page = jsonContent(operation.method === 'get' ? responseOf(document, operation, 200) : undefined)?.schema;
    const name = schemaNameOf(page)?.replace(/Page$/, '');
    if (page === undefined || name === undefined || names.has(name) || schemaNameOf(page) === name) continue;
    const schema = inlineObjectDraft(document, name, document.components?.schemas?.[name] ?? false);
    if (!MANAGED_PROPERTIES.every((property) => schema?.properties.has(property))) continue;
    yield {
      severity: 'warning',
      message: `\`${operation.path}\` lists \`${name}\`, but nothing gets one, so that it is no resource and its operations need handlers.`,
      hint: `Declare \`GET ${operation.path}/{id}\` with \`${name}\` as its 200 response.`,
      ...atOperation(operation),
    };
  }
};

/** One schema, one collection: references and inputs go by the schema's name. */
export const resourceSchemaOnce: Check = function* ({ resources }) {
  for (const [index, { name, path, operations }] of resources.entries()) {
    const first = resources.slice(0, index).find((other) => other.name === name);
    if (first === undefined) continue;
    yield {
      severity: 'error',
      message: `\`${name}\` is the schema of two collections, \`${first.path}\` and \`${path}\`.`,
      hint: `Give \`${path}\` a schema of its own, or leave out \`GET ${path}/{id}\` and filter \`${first.path}\`.`,
      ...atOperation(operations.get!),
    };
  }
};

/** `required` names properties that exist; in a resource each must be rendered. */
export const requiredKnown: Check = function* ({ resources }) {
  for (const resource of resources) {
    for (const schema of [resource.schema, resource.input, resource.patch]) {
      for (const name of schema?.flat.required.keys() ?? []) {
        if (schema!.properties.has(name)) continue;
        yield {
          severity: 'error',
          message: `\`required\` of \`${schema!.name}\` lists \`${name}\`, which is none of its properties.`,
          hint: `Remove \`${name}\` or declare it under \`properties\`.`,
          ...atRequired(schema!, name),
        };
      }
    }
  }
};

/** A value that JSON numbers round, or that is never rendered, cannot be kept faithfully. */
export const propertyTypeKept: Check = function* ({ resources }) {
  for (const { schema } of resources) {
    for (const property of schema.properties.values()) {
      const name = `\`${schema.name}.${property.name}\``;
      const format = property.flat.keywords.get('format')?.value;
      if (format === 'int64' && valueTypes(property.flat).includes('integer')) {
        yield {
          severity: 'error',
          message: `${name} is an integer of 64 bits, which JSON readers round beyond 2^53.`,
          hint: 'An int64 travels as a string: write `type: string, format: int64`.',
          ...atPropertyKeyword(property, 'format'),
        };
      }
      if (property.flat.keywords.get('writeOnly')?.value === true) {
        yield {
          severity: 'error',
          message: `${name} is write-only, but everything in a resource is rendered.`,
          hint: 'Remove `writeOnly`, or take the value in a custom operation.',
          ...atPropertyKeyword(property, 'writeOnly'),
        };
      }
    }
  }
};
