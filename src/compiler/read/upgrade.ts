import { type Node, nodesBelow } from './grammar.ts';
import type { SourceMap } from './source-map.ts';

/** Upgrades an OpenAPI 3.0 document to 3.1, in place. Only the differences in schemas matter here. */
export function upgradeTo31(document: Node, map: SourceMap): void {
  document['openapi'] = '3.1.0';
  for (const { node, kind } of nodesBelow(document, 'document')) if (kind === 'schema') upgradeSchema(node, map);
}

function upgradeSchema(schema: Node, map: SourceMap): void {
  upgradeReference(schema);
  upgradeNullable(schema);
  upgradeBound(schema, 'exclusiveMinimum', 'minimum');
  upgradeBound(schema, 'exclusiveMaximum', 'maximum');
  upgradeExample(schema);
  upgradeBinary(schema);
  map.inherit(schema);
}

const ANNOTATIONS = /^(\$ref|title|description|default|deprecated|readOnly|writeOnly|example|externalDocs|x-.*)$/;

/** Constraints beside a reference are ignored in 3.0 (OpenAPI 3.0.3, 4.7.23), but would take effect in 3.1. */
function upgradeReference(schema: Node): void {
  if (typeof schema['$ref'] !== 'string') return;
  for (const keyword of Object.keys(schema)) if (!ANNOTATIONS.test(keyword)) delete schema[keyword];
}

/** Declares null in the words of 3.1 if a schema has `nullable`, in place. */
export function upgradeNullable(schema: Node): void {
  const { nullable, type } = schema;
  delete schema['nullable'];
  if (nullable !== true) return;
  if (typeof type === 'string') addNullType(schema, type);
  else if (type === undefined) addNullAlternative(schema);
}

function addNullType(schema: Node, type: string): void {
  schema['type'] = [type, 'null'];
  const values = schema['enum'];
  if (Array.isArray(values) && !values.includes(null)) schema['enum'] = [...values, null];
}

/** Beside a composition without `type`, `nullable` has no effect (OpenAPI 3.0.3, 4.7.24.1), but authors mean null. */
function addNullAlternative(schema: Node): void {
  const composition: Node = {};
  for (const keyword of ['allOf', 'anyOf', 'oneOf', 'discriminator']) {
    if (schema[keyword] === undefined) continue;
    composition[keyword] = schema[keyword];
    delete schema[keyword];
  }
  if (Object.keys(composition).length === 0) return;
  const { allOf, ...others } = composition;
  const isAlone = Array.isArray(allOf) && allOf.length === 1 && Object.keys(others).length === 0;
  schema['anyOf'] = [isAlone ? allOf[0] : composition, { type: 'null' }];
}

/** In 3.1, an exclusive bound is a number instead of a flag beside the bound. */
function upgradeBound(schema: Node, exclusive: string, inclusive: string): void {
  const isExclusive = schema[exclusive];
  if (typeof isExclusive !== 'boolean') return;
  delete schema[exclusive];
  if (!isExclusive || schema[inclusive] === undefined) return;
  schema[exclusive] = schema[inclusive];
  delete schema[inclusive];
}

function upgradeExample(schema: Node): void {
  if (schema['example'] === undefined) return;
  schema['examples'] ??= [schema['example']];
  delete schema['example'];
}

function upgradeBinary(schema: Node): void {
  const types = [schema['type']].flat();
  if (!types.includes('string')) return;
  if (schema['format'] === 'binary') schema['contentMediaType'] = 'application/octet-stream';
  else if (schema['format'] === 'byte' || schema['format'] === 'base64') schema['contentEncoding'] = 'base64';
  else return;
  delete schema['format'];
}
