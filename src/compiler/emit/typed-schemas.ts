import { discriminatedUnion } from '../../descriptor/discriminator.ts';
import type { OpenApiDocument, Schema } from '../../descriptor/document.ts';
import { dereference, schemaNameOf } from '../../descriptor/references.ts';
import { nameLists } from '../json-schema/named-lists.ts';
import { asNode, isNode, type Node, nodesBelow } from '../read/grammar.ts';
import { LIST_NAME } from './type-contents.ts';

/** Keywords that shape the type of a value, besides those that compose it; the others are for readers, or bounds. */
const SHAPES = /^(?:type|const|enum|properties|patternProperties|additionalProperties|required|items|prefixItems)$/;
const COMPOSITIONS = ['allOf', 'anyOf', 'oneOf'] as const;

/** Writes schemas, `named` ones among them, in place in a way for which openapi-typescript has types that fit all valid values. */
export function typedSchemas(document: OpenApiDocument, named: object): void {
  const schemas = [...nodesBelow(document, 'document')].flatMap(({ node, kind }) => (kind === 'schema' ? [node] : []));
  for (const schema of schemas) fixDiscriminator(document, schema);
  for (const schema of schemas) {
    composeReference(schema);
    listValues(schema);
    requireProperties(document, schema);
    openProperties(document, schema);
  }
  for (const schema of schemas) splitComposition(schema);
  nameLists(named, LIST_NAME);
  inlineScalars(document, asNode(named));
}

/** Each branch has the values that choose it: openapi-typescript would put them into its schema, wherever that is used. */
function fixDiscriminator(document: OpenApiDocument, schema: Node): void {
  const union = discriminatedUnion(document, schema);
  delete schema['discriminator'];
  if (!union) return;
  const keyword = 'oneOf' in schema ? 'oneOf' : 'anyOf';
  schema[keyword] = (schema[keyword] as readonly Schema[]).map((branch) => {
    const values = union.branches.find((one) => one.schema === branch)?.values ?? [];
    if (values.length === 0 || declares(dereference(document, branch), union.property, values)) return branch;
    return { allOf: [objectOf(union.property, { enum: values }), branch] };
  });
}

const objectOf = (property: string, schema: Node): Node => ({
  type: 'object',
  properties: { [property]: schema },
  required: [property],
});

function declares(branch: Schema, property: string, values: readonly unknown[]): boolean {
  const { properties, required } = isNode(branch) ? branch : {};
  const declared = isNode(properties) ? properties[property] : undefined;
  if (!isNode(declared) || !Array.isArray(required) || !required.includes(property)) return false;
  const own = 'const' in declared ? [declared['const']] : declared['enum'];
  return JSON.stringify(own) === JSON.stringify(values);
}

/** Siblings of a reference hold as well. */
function composeReference(schema: Node): void {
  const { $ref, ...beside } = schema;
  const isShape = (keyword: string) => SHAPES.test(keyword) || COMPOSITIONS.some((one) => one === keyword);
  if (typeof $ref !== 'string' || !Object.keys(beside).some(isShape)) return;
  delete schema['$ref'];
  schema['allOf'] = [{ $ref }, ...[schema['allOf'] ?? []].flat()];
}

/** `type` excludes values of other types. Null gets a type, and an enum of objects becomes a union of constants. */
function listValues(schema: Node): void {
  const { type, enum: listed } = schema;
  if (schema['const'] === null) {
    delete schema['const'];
    schema['type'] = 'null';
  }
  if (!Array.isArray(listed)) return;
  const types = [type ?? []].flat();
  const values = listed.filter((value) => types.length === 0 || types.some((one) => hasType(value, one)));
  const left = types.filter((one) => values.some((value) => hasType(value, one)));
  if (left.length > 0) schema['type'] = left.length === 1 ? left[0] : left;
  schema['enum'] = values;
  if (!values.some((value) => typeof value === 'object' && value !== null)) return;
  delete schema['type'];
  delete schema['enum'];
  schema['oneOf'] = values.map((value) => (value === null ? { type: 'null' } : { const: value }));
}

function hasType(value: unknown, type: unknown): boolean {
  if (value === null) return type === 'null';
  if (Array.isArray(value)) return type === 'array';
  return typeof value === type || (typeof value === 'number' && type === 'integer' && Number.isInteger(value));
}

/** An index of TypeScript holds for all properties: it has the types of the declared ones as well. */
function openProperties(document: OpenApiDocument, schema: Node): void {
  const isComposed = COMPOSITIONS.some((keyword) => keyword in schema);
  const { unevaluatedProperties } = schema;
  if (isNode(unevaluatedProperties)) schema['additionalProperties'] ??= isComposed ? true : unevaluatedProperties;
  nameProperties(document, schema);
  const { properties = {}, patternProperties, additionalProperties } = schema;
  const others = isNode(patternProperties) ? Object.values(patternProperties) : [];
  delete schema['patternProperties'];
  if (additionalProperties !== true && (others.length > 0 || isOpen(additionalProperties))) {
    const values = [...(isNode(additionalProperties) ? [additionalProperties] : []), ...others];
    const types = new Map([...values, ...Object.values(properties as Node)].map((one) => [JSON.stringify(one), one]));
    schema['additionalProperties'] = types.size === 1 ? values[0] : { anyOf: [...types.values()] };
  }
}

const isOpen = (additional: unknown): boolean => isNode(additional) && Object.keys(additional).length > 0;

/** Properties whose names are listed are these properties. */
function nameProperties(document: OpenApiDocument, schema: Node): void {
  const { propertyNames, additionalProperties = true, properties = {} } = schema;
  const names = propertyNames === undefined ? undefined : dereference(document, propertyNames as Schema);
  const listed = isNode(names) ? names['enum'] : undefined;
  if (!Array.isArray(listed) || additionalProperties === false || 'patternProperties' in schema) return;
  const named = listed.filter((name) => typeof name === 'string').map((name) => [name, additionalProperties]);
  schema['properties'] = { ...Object.fromEntries(named), ...(properties as Node) };
  schema['additionalProperties'] = false;
}

/** A required property exists, also if another schema declares it, or none. */
function requireProperties(document: OpenApiDocument, schema: Node): void {
  const { required, properties = {}, additionalProperties } = schema;
  if (!Array.isArray(required)) return;
  const parts = [schema, ...((schema['allOf'] ?? []) as readonly Schema[]).map((part) => dereference(document, part))];
  const declared = parts.flatMap((part) => Object.keys((isNode(part) && part['properties']) || {}));
  const missing = required
    .filter((name) => !declared.includes(name))
    .map((name) => [name, additionalProperties || true]);
  if (missing.length > 0) schema['properties'] = { ...(properties as Node), ...Object.fromEntries(missing) };
}

/** All compositions of a schema hold: openapi-typescript takes the branches of `anyOf` for more of what stands beside them. */
function splitComposition(schema: Node): void {
  const composed = COMPOSITIONS.filter((keyword) => Array.isArray(schema[keyword]));
  const { type } = schema;
  const own = Object.fromEntries(Object.entries(schema).filter(([keyword]) => SHAPES.test(keyword)));
  const isNullable = Array.isArray(type) && type.includes('null');
  const hasOwn = Object.keys(own).some((keyword) => keyword !== 'required' && keyword !== 'type') || isMore(type);
  if (composed.length + Number(hasOwn) < 2) return;
  if (composed.join() === 'allOf' && !Array.isArray(type)) return;
  for (const keyword of Object.keys(own)) if (keyword !== 'required') delete schema[keyword];
  const unions = composed.filter((keyword) => keyword !== 'allOf').map((keyword) => ({ oneOf: schema[keyword] }));
  if (isNullable) for (const { oneOf } of unions) for (const branch of oneOf as Schema[]) allowNull(branch, type);
  const parts = (schema['allOf'] ?? []) as readonly Schema[];
  for (const keyword of composed) delete schema[keyword];
  schema['allOf'] = [...(hasOwn ? [own] : []), ...parts, ...unions];
}

/** Any type but an object that others describe. */
const isMore = (type: unknown): boolean => [type ?? []].flat().some((one) => one !== 'object' && one !== 'null');

/** A branch that only speaks of objects holds for null. */
function allowNull(branch: Schema, type: unknown): void {
  if (typeof branch === 'object' && 'properties' in branch && !('type' in branch)) Object.assign(branch, { type });
}

const SCALARS = new Set<unknown>(['string', 'number', 'integer', 'boolean', 'null']);
const COMPOSING = ['$ref', ...COMPOSITIONS, 'not', 'if'];

/**
 * Writes schemas of scalars where properties refer to them, so that editors show a property as `sku: string` with what the
 * contract says of it, and not by the name of its schema.
 */
function inlineScalars(copy: OpenApiDocument, schemas: Node): void {
  for (const { node, kind } of [...nodesBelow(copy, 'document')]) {
    const { properties } = node;
    if (kind !== 'schema' || !isNode(properties)) continue;
    for (const [name, property] of Object.entries(properties)) {
      const referred = schemas[schemaNameOf(property) ?? ''];
      if (!isScalar(referred)) continue;
      const { $ref: _, ...beside } = property as Node;
      properties[name] = { ...structuredClone(referred), ...beside };
    }
  }
}

function isScalar(schema: unknown): schema is Node {
  if (!isNode(schema) || COMPOSING.some((keyword) => keyword in schema)) return false;
  const types = [schema['type']].flat();
  return types.length > 0 && types.every((type) => SCALARS.has(type));
}
