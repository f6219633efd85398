import { batchFieldName, batchTypeName, draftOf, wordsOf } from '../../compiler/graphql/convention/index.ts';
import { largestJson, schemaReference } from '../../compiler/json-schema/index.ts';
import { lowerFirst, parameterOf, pathSegments, type ResourceDraft, upperFirst } from '../../compiler/model/index.ts';
import { batchKindsOf, keysOfRows, membersOfItem } from '../../compiler/model/resources/index.ts';
import { ConfigError } from '../../descriptor/config-error.ts';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import { parentOf } from '../../descriptor/levels.ts';
import type { BatchKind } from '../../descriptor/resource.ts';
import type { OpenContract } from '../sync/open-contract.ts';
import { type Json, pathParameter } from '../sync/openapi-resource.ts';
import { operationObject } from '../sync/operation-object.ts';
import { valueSchema } from '../sync/parameter-objects.ts';
import { type Addition, resourceNamed } from './addition.ts';

const MOST_ITEMS = 100;
/** What variables of GraphQL may have, and an item has beside its input. */
const [MOST_BYTES, ITEM_BYTES] = [65_000, 300];

/** As many items as fit into the variables of GraphQL, whatever they have. */
function mostItems(document: OpenApiDocument, { input, patch }: ResourceDraft): number {
  const bytes = [input, patch].map((one) => (one ? largestJson(document, schemaReference(one.name)) : 0));
  const most = Math.floor(MOST_BYTES / (ITEM_BYTES + bytes.reduce((sum, one) => sum + one)));
  return most === 0 ? MOST_ITEMS : Math.min(most, MOST_ITEMS);
}

/** The addition of a batch of what can be written of a resource. */
export const batchAddition =
  (collection: string): Addition =>
  async (contract) => {
    const { side, writer } = contract;
    const resource = resourceNamed(side, collection);
    const draft = draftOf(side, resource);
    const path = `${resource.path}/batch`;
    if (side.operations.some((one) => one.path === path)) throw new ConfigError([`${path} already exists.`]);
    const operationId = batchFieldName(resource, parentOf(side.resources, resource));
    if (side.operations.some((one) => one.operationId === operationId))
      throw new ConfigError([`${operationId} already exists.`]);
    const kinds = batchKindsOf(side.document, draft);
    const [first] = kinds;
    if (first === undefined) throw new ConfigError([`${collection} has nothing to write.`]);
    const { name } = resource;
    const named = (part: string): string => batchTypeName(resource, part);
    const names = { input: named('input'), item: named('item'), result: named('result'), batch: named('') };
    const keys = [...new Set(keysOfRows(side.document, draft).flat())];
    const hasKey = keys.length > 0 && kinds.some((kind) => kind !== 'create');
    for (const one of [...Object.values(names), ...kinds.map(named), ...(hasKey ? [named('key')] : [])])
      if (writer.has('schemas', one)) throw new ConfigError([`${one} already exists.`]);
    const words = wordsOf(lowerFirst(name));
    if (hasKey)
      await writer.addComponent('schemas', named('key'), {
        description: 'The values of a unique key.',
        type: 'object',
        minProperties: 1,
        properties: Object.fromEntries(keys.map((key) => [key, ownSchema(draft, key)])),
        additionalProperties: false,
      });
    for (const kind of kinds)
      await writer.addComponent('schemas', named(kind), memberOf(contract, draft, kind, named('key')));
    await writer.addComponent('schemas', names.item, {
      description: `One write of ${words} rows.`,
      type: 'object',
      minProperties: 1,
      maxProperties: 1,
      properties: Object.fromEntries(kinds.map((kind) => [kind, schemaReference(named(kind))])),
      additionalProperties: false,
    });
    await writer.addComponent('schemas', names.result, {
      description: 'The success or the failure of an item.',
      type: 'object',
      properties: {
        status: { description: 'That of the same request alone.', type: 'integer', minimum: 200, maximum: 599 },
        etag: { description: 'The entity tag.', type: 'string' },
        data: schemaReference(name),
        error: writer.has('schemas', 'Problem') ? schemaReference('Problem') : { type: 'object' },
      },
      required: ['status'],
    });
    await writer.addComponent('schemas', names.input, {
      description: `Several writes of ${words} rows.`,
      type: 'object',
      properties: {
        mode: {
          description: 'All items or none, or each by itself.',
          type: 'string',
          enum: ['ATOMIC', 'EACH'],
          default: 'ATOMIC',
        },
        items: {
          type: 'array',
          minItems: 1,
          maxItems: mostItems(side.document, draft),
          items: schemaReference(names.item),
        },
      },
      required: ['items'],
      additionalProperties: false,
    });
    await writer.addComponent('schemas', names.batch, {
      description: 'The results of a batch.',
      type: 'object',
      properties: {
        data: { description: 'In the order of the items.', type: 'array', items: schemaReference(names.result) },
      },
      required: ['data'],
    });
    const { operations } = draft;
    const above = pathSegments(path).flatMap((segment) => parameterOf(segment) ?? []);
    const [write] = [operations.create, operations.update, operations.replace, operations.delete].flatMap(
      (one) => one ?? [],
    );
    await writer.addPath(path, `${wordsOf(operationId.replace(/^batch/, '')).replaceAll(' ', '-')}-batch`, {
      ...(above.length > 0 && { parameters: above.map((one) => pathParameter(side, one)) }),
      post: operationObject({
        operationId,
        tags: write?.node.tags,
        summary: upperFirst(wordsOf(operationId)),
        security: write?.node.security,
        'x-batch': name,
        body: { schema: schemaReference(names.input) },
        answer: { status: 200, description: 'The results.', schema: schemaReference(names.batch) },
      }),
    });
  };

const DESCRIPTIONS: Readonly<Record<BatchKind, string>> = {
  create: 'A new row.',
  update: 'Changes to a row, which `id` or `key` names.',
  replace: 'A row as a whole, which `id` or `key` names.',
  delete: 'The end of a row, which `id` or `key` names.',
  upsert: 'A new row, or changes to the one that has the key.',
};

/** The schema of a member of an item. `key`: that of keys. */
function memberOf({ side: { document } }: OpenContract, draft: ResourceDraft, kind: BatchKind, key: string): Json {
  const members = Object.entries(membersOfItem(document, draft, kind));
  const required = members.flatMap(([name, { isRequired }]) => (isRequired ? [name] : []));
  const schemaOf = (name: string): Json =>
    name === 'key' ? schemaReference(key) : ownSchema(draft, name === 'id' ? name : 'version');
  return {
    description: DESCRIPTIONS[kind],
    type: 'object',
    properties: Object.fromEntries(
      members.map(([name, { schema }]) => [name, schema === undefined ? schemaOf(name) : schemaReference(schema)]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** The schema of the values of a property that names a row, or its version. */
function ownSchema({ schema }: ResourceDraft, name: string): Json {
  const found = schema.properties.get(name);
  return found ? valueSchema(found) : { type: 'string' };
}
