import { allOf, oneOf } from '../findings/wording.ts';
import { valueTypes } from '../json-schema/property-type.ts';
import { schemaNameOf } from '../json-schema/references.ts';
import { namingOf } from '../model/name-case.ts';
import { inlineObjectDraft } from '../model/resources/object-draft.ts';
import { managedProperties } from '../model/resources/recognise.ts';
import { jsonContent } from '../model/responses.ts';
import { namedSchemas } from '../model/schemas.ts';
import { atOperation, atPropertyKeyword, atRequired } from './place.ts';
import type { Check } from './rule.ts';

/** A schema with some of the managed properties, but not all, is most likely meant to be a resource. */
export const resourceManaged: Check = function* ({ document, nearMisses }) {
  const managed = managedProperties(namingOf(document).case);
  for (const { get, fault, name, node, missing, severity } of nearMisses) {
    if (fault !== 'managed') continue;
    yield {
      severity,
      message: `\`${name}\` has no ${oneOf(missing)}, so \`${get.path}\` is not a resource and all its operations need handlers.`,
      hint: `Add ${allOf(missing)} to its properties and to \`required\`; a resource has ${allOf(managed)}. To serve it as it is, write \`x-resource: false\` on it.`,
      node,
      key: 'properties',
    };
  }
};

/** The schema of a resource is named, because its input, patch and page are named after it. */
export const resourceSchemaNamed: Check = function* ({ nearMisses }) {
  for (const { get, fault, node, severity } of nearMisses) {
    if (fault !== 'inline') continue;
    yield {
      severity,
      message: `\`GET ${get.path}\` returns an inline schema, so it is not a resource and all its operations need handlers.`,
      hint: 'Move the schema to `components.schemas` under the name of the resource and refer to it here.',
      node,
    };
  }
};

/** A collection without `GET /collection/{id}` is not recognized as a resource. */
export const resourceGet: Check = function* ({ document, operations, resources }) {
  const managed = managedProperties(namingOf(document).case);
  const names = new Set(resources.map(({ name }) => name));
  for (const operation of operations) {
    const page = jsonContent(operation.method === 'get' ? operation.responses.get('200') : undefined)?.schema;
    const name = schemaNameOf(page)?.replace(/Page$/, '');
    if (page === undefined || name === undefined || names.has(name) || schemaNameOf(page) === name) continue;
    const schema = inlineObjectDraft(document, name, namedSchemas(document)[name] ?? false);
    if (!managed.every((property) => schema?.properties.has(property))) continue;
    yield {
      severity: 'warning',
      message: `\`${operation.path}\` lists \`${name}\`, but no operation gets one, so it is not a resource and its operations need handlers.`,
      hint: `Declare \`GET ${operation.path}/{id}\` with \`${name}\` as its 200 response.`,
      ...atOperation(operation),
    };
  }
};

/** Each collection has its own schema, because references and inputs use the schema's name. */
export const resourceSchemaOnce: Check = function* ({ resources }) {
  for (const [index, { name, path, operations }] of resources.entries()) {
    const first = resources.slice(0, index).find((other) => other.name === name);
    if (first === undefined) continue;
    yield {
      severity: 'error',
      message: `\`${name}\` is the schema of two collections, \`${first.path}\` and \`${path}\`.`,
      hint: `Give \`${path}\` a schema of its own, or remove \`GET ${path}/{id}\` and filter \`${first.path}\` instead.`,
      ...atOperation(operations.get!),
    };
  }
};

/** `required` names existing properties only. */
export const requiredKnown: Check = function* ({ resources }) {
  for (const resource of resources) {
    for (const schema of [resource.schema, resource.input, resource.patch]) {
      for (const name of schema?.flat.required.keys() ?? []) {
        if (schema!.properties.has(name)) continue;
        yield {
          severity: 'error',
          message: `\`required\` of \`${schema!.name}\` lists \`${name}\`, which is not one of its properties.`,
          hint: `Remove \`${name}\` or declare it under \`properties\`.`,
          ...atRequired(schema!, name),
        };
      }
    }
  }
};

/** Properties can be stored and returned unchanged: no 64-bit integers as JSON numbers, no write-only properties. */
export const propertyTypeKept: Check = function* ({ resources }) {
  for (const { schema } of resources) {
    for (const property of schema.properties.values()) {
      const name = `\`${schema.name}.${property.name}\``;
      const format = property.flat.keywords.get('format')?.value;
      if (format === 'int64' && valueTypes(property.flat).includes('integer')) {
        yield {
          severity: 'error',
          message: `${name} is a 64-bit integer, which JSON parsers round beyond 2^53.`,
          hint: 'Represent it as a string: `type: string, format: int64`.',
          ...atPropertyKeyword(property, 'format'),
        };
      }
      if (property.flat.keywords.get('writeOnly')?.value === true) {
        yield {
          severity: 'error',
          message: `${name} is write-only, but all properties of a resource are returned.`,
          hint: 'Remove `writeOnly`, or accept the value in a custom operation.',
          ...atPropertyKeyword(property, 'writeOnly'),
        };
      }
    }
  }
};
