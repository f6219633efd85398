import { conventionNames } from '../../../descriptor/convention-names.ts';
import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import { lookUp, onlyOf } from '../../../descriptor/look-up.ts';
import { schemaNameOf } from '../../../descriptor/references.ts';
import { BATCH_KINDS, type BatchKind, rowKeys } from '../../../descriptor/resource.ts';
import { enumValues, propertyType, valueTypes } from '../../json-schema/property-type.ts';
import { tenantOf } from '../access/tenant-rule.ts';
import type { PropertyDraft, ResourceDraft } from '../draft.ts';
import { flatSchema, itemsOf } from '../schemas.ts';
import type { FurtherFault } from './further-fault.ts';
import { uniqueSets } from './object-draft.ts';

/** GraphQL lists no more errors of an answer. */
export const MOST_ITEMS = 100;
const MODES = ['ATOMIC', 'EACH'];

type FlatSchema = ReturnType<typeof flatSchema>;

/** An object of a batch. `part` ends the name of its schema: `item` for `ProductBatchItem`. */
export interface ObjectShape {
  readonly kind: 'object';
  readonly part: string;
  readonly members: Readonly<Record<string, Shape>>;
  readonly required: readonly string[];
  /** Whether a value has exactly one of the members. */
  readonly isOneOf?: boolean;
}

/** The values of a batch: of named schemas (inputs and the row), of properties (ids, versions, keys), and of its own. */
export type Shape =
  | ObjectShape
  | { readonly kind: 'schema'; readonly name: string }
  | { readonly kind: 'property'; readonly property: PropertyDraft }
  | { readonly kind: 'list'; readonly items: ObjectShape; readonly isBounded?: boolean }
  | { readonly kind: 'type'; readonly type: string }
  | { readonly kind: 'mode' };

/** The properties that name one row of a resource, by its keys. */
const keysOfRows = (document: OpenApiDocument, resource: ResourceDraft): readonly (readonly string[])[] => {
  const { parent, keyProperty } = resource;
  const tenant = tenantOf(document, resource);
  return rowKeys({ unique: uniqueSets(resource), parent, tenant, ...(keyProperty !== undefined && { keyProperty }) });
};

/** The kinds of items that a resource has actions for. */
export function batchKindsOf(document: OpenApiDocument, resource: ResourceDraft): readonly BatchKind[] {
  const { create, update, ...others } = resource.operations;
  const actions = { create: create && resource.input, update: update && resource.patch, ...others };
  return BATCH_KINDS.filter((kind) =>
    kind === 'upsert'
      ? actions.create && actions.update && keysOfRows(document, resource).length > 0
      : actions[kind] !== undefined,
  );
}

const object = (part: string, members: ObjectShape['members'], required: readonly string[] = []): ObjectShape => ({
  ...{ kind: 'object', part, members, required },
});

/** An item of a batch, with one member for each kind of write. */
export function itemShape(
  document: OpenApiDocument,
  resource: ResourceDraft,
  kinds: readonly BatchKind[],
): ObjectShape {
  const { input, patch, schema } = resource;
  const of = (name: string): Shape => ({ kind: 'property', property: lookUp(schema.properties, name) });
  const named = (one: { readonly name: string } | undefined): Shape => ({ kind: 'schema', name: one?.name ?? '' });
  const keys = keysOfRows(document, resource);
  const names = [...new Set(keys.flat())].filter((name) => schema.properties.has(name));
  const key = object('key', Object.fromEntries(names.map((name) => [name, of(name)])), onlyOf(keys));
  const row = { id: of('id'), ...(names.length > 0 && { key }) };
  const version = { [conventionNames(resource.nameCase).ifVersion]: of('version') };
  const members: { readonly [K in BatchKind]: () => ObjectShape } = {
    create: () => object('create', { input: named(input) }, ['input']),
    update: () => object('update', { ...row, input: named(patch), ...version }, ['input']),
    replace: () => object('replace', { ...row, input: named(input), ...version }, ['input']),
    delete: () => object('delete', { ...row, ...version }),
    upsert: () => object('upsert', { key, create: named(input), update: named(patch) }, ['key', 'create']),
  };
  const parts = Object.fromEntries(kinds.map((kind) => [kind, members[kind]()]));
  return { ...object('item', parts), isOneOf: true };
}

/** The body of a batch. */
export const bodyShape = (item: ObjectShape): ObjectShape =>
  object('input', { mode: { kind: 'mode' }, items: { kind: 'list', items: item, isBounded: true } }, ['items']);

/** The answer of a batch. */
export function answerShape({ name }: Pick<ResourceDraft, 'name'>): ObjectShape {
  const members: ObjectShape['members'] = {
    status: { kind: 'type', type: 'integer' },
    etag: { kind: 'type', type: 'string' },
    data: { kind: 'schema', name },
    error: { kind: 'type', type: 'object' },
  };
  return object('', { data: { kind: 'list', items: object('result', members, ['status']) } }, ['data']);
}

/** How many items a body may have, and of which of the kinds. */
export function sizesOf(document: OpenApiDocument, body: Schema, known: readonly BatchKind[]) {
  const items = flatSchema(document, ...(flatSchema(document, body).properties.get('items')?.schemas ?? []));
  const { properties } = flatSchema(document, itemsOf(items) ?? true);
  const maxItems = Number(items.keywords.get('maxItems')?.value);
  return { kinds: known.filter((kind) => properties.has(kind)), maxItems };
}

/** The objects of a shape, itself first, each once. */
export function partsOf(shape: Shape): readonly ObjectShape[] {
  if (shape.kind === 'list') return partsOf(shape.items);
  if (shape.kind !== 'object') return [];
  return [...new Set([shape, ...Object.values(shape.members).flatMap(partsOf)])];
}

/** Where a schema stands in an operation: a key of it, and the names that lead to the value. */
interface Site {
  readonly operationId: string;
  readonly key: 'requestBody' | 'responses';
  readonly path: string;
}

/** The differences of schemas, which all apply to one value, from its shape. */
export function differencesOf(
  document: OpenApiDocument,
  schemas: readonly Schema[],
  shape: Shape,
  site: Site,
): readonly FurtherFault[] {
  const flat = flatSchema(document, ...schemas);
  const { properties, required } = flat;
  const words = faultOfShape(schemas, flat, shape);
  const fault = (message: string, hint: string, more: Partial<FurtherFault> = {}): FurtherFault => ({
    key: site.key,
    message: `${site.path === '' ? `The ${BODIES[site.key]}` : `\`${site.path}\``} of \`${site.operationId}\` ${message}.`,
    hint,
    ...(flat.nodes[0] && { node: flat.nodes[0] }),
    ...more,
  });
  if (words !== undefined) return [fault(words, `Write \`${yamlOf(shape)}\`.`)];
  if (shape.kind === 'list')
    return differencesOf(document, [itemsOf(flat) ?? true], shape.items, { ...site, path: `${site.path}[]` });
  if (shape.kind !== 'object') return [];
  const known = Object.keys(shape.members);
  return [...new Set([...known, ...properties.keys()])].flatMap((name): readonly FurtherFault[] => {
    const [wanted, found] = [shape.members[name], properties.get(name)];
    if (!wanted)
      return [fault(`has the unknown member \`${name}\``, `Remove \`${name}\`.`, { unknown: { name, known } })];
    if (!found) return shape.isOneOf ? [] : [fault(`lacks \`${name}\``, `Write \`${name}: ${yamlOf(wanted)}\`.`)];
    const isRequired = shape.required.includes(name);
    const path = site.path === '' ? name : `${site.path}.${name}`;
    if (required.has(name) === isRequired) return differencesOf(document, found.schemas, wanted, { ...site, path });
    return isRequired
      ? [fault(`does not require \`${name}\``, `Write \`required: [${shape.required.join(', ')}]\`.`)]
      : [fault(`requires \`${name}\``, `Remove \`${name}\` from \`required\`.`)];
  });
}

const BODIES: { readonly [K in Site['key']]: string } = { requestBody: 'body', responses: 'answer' };

/** Why a value is not of a shape, its members and entries aside. */
function faultOfShape(schemas: readonly Schema[], flat: FlatSchema, shape: Shape): string | undefined {
  const has = (keyword: string, value: unknown): boolean => flat.keywords.get(keyword)?.value === value;
  const isTyped = (...types: readonly string[]): boolean => valueTypes(flat).join() === types.join() && !flat.nullable;
  switch (shape.kind) {
    case 'schema':
      return schemas.some((one) => schemaNameOf(one) === shape.name) ? undefined : `is not \`${shape.name}\``;
    case 'property': {
      const { name, type, flat: own } = shape.property;
      const isAlike = propertyType(flat) === type && isTyped(...valueTypes(own));
      return isAlike ? undefined : `does not have the type of the property \`${name}\``;
    }
    case 'type':
      return isTyped(shape.type) ? undefined : `is not of the type \`${shape.type}\``;
    case 'mode': {
      const values = enumValues(flat) ?? [];
      const isWhole = values.length === MODES.length && MODES.every((mode) => values.includes(mode));
      return isWhole && isTyped('string') && has('default', MODES[0]) ? undefined : 'is not a mode';
    }
    case 'list': {
      const most = Number(flat.keywords.get('maxItems')?.value);
      const isBounded = has('minItems', 1) && most >= 1 && most <= MOST_ITEMS;
      if (!isTyped('array')) return 'is not a list';
      return isBounded || !shape.isBounded ? undefined : 'is not bounded';
    }
    case 'object': {
      if (!isTyped('object')) return 'is not an object';
      const isOne = has('minProperties', 1) && has('maxProperties', 1) && flat.properties.size > 0;
      return isOne || !shape.isOneOf ? undefined : 'does not have exactly one member';
    }
  }
}

/** A schema of a shape, in short. */
function yamlOf(shape: Shape): string {
  switch (shape.kind) {
    case 'schema':
      return `{ $ref: '#/components/schemas/${shape.name}' }`;
    case 'property': {
      const { flat } = shape.property;
      const format = flat.keywords.get('format')?.value;
      return `{ type: ${valueTypes(flat).join()}${format === undefined ? '' : `, format: ${String(format)}`} }`;
    }
    case 'type':
      return `{ type: ${shape.type} }`;
    case 'mode':
      return `{ type: string, enum: [${MODES.join(', ')}], default: ${MODES[0]} }`;
    case 'list':
      return `{ type: array${shape.isBounded ? `, minItems: 1, maxItems: ${MOST_ITEMS}` : ''}, items: ${yamlOf(shape.items)} }`;
    case 'object': {
      const one = shape.isOneOf ? ', minProperties: 1, maxProperties: 1' : '';
      return `{ type: object${one}, properties: { ${Object.keys(shape.members)
        .map((name) => `${name}: …`)
        .join(', ')} } }`;
    }
  }
}
