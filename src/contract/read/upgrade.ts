import { childrenOf, type Kind, type Node } from './grammar.ts';

/** Makes an OpenAPI 3.0 document one of 3.1, in place: only schemas differ for our purposes. */
export function upgradeTo31(document: Node): void {
  document['openapi'] = '3.1.0';
  upgradeBelow(document, 'document', new Set());
}

function upgradeBelow(node: Node, kind: Kind, visited: Set<Node>): void {
  if (visited.has(node)) return;
  visited.add(node);
  if (kind === 'schema') upgradeSchema(node);
  for (const { child, kind: childKind } of [...childrenOf(node, kind)]) upgradeBelow(child, childKind, visited);
}

function upgradeSchema(schema: Node): void {
  upgradeNullable(schema);
  upgradeBound(schema, 'exclusiveMinimum', 'minimum');
  upgradeBound(schema, 'exclusiveMaximum', 'maximum');
  upgradeExample(schema);
  upgradeBinary(schema);
}

/** `nullable: true` counts only beside a `type` (OpenAPI 3.0.3, 4.7.24.1). */
function upgradeNullable(schema: Node): void {
  const { nullable, type } = schema;
  delete schema['nullable'];
  if (nullable !== true || typeof type !== 'string') return;
  schema['type'] = [type, 'null'];
  const values = schema['enum'];
  if (Array.isArray(values) && !values.includes(null)) schema['enum'] = [...values, null];
}

/** A boolean beside the bound became the bound itself. */
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
  if (schema['type'] !== 'string') return;
  if (schema['format'] === 'binary') schema['contentMediaType'] = 'application/octet-stream';
  else if (schema['format'] === 'byte' || schema['format'] === 'base64') schema['contentEncoding'] = 'base64';
  else return;
  delete schema['format'];
}
