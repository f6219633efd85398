import { batchTypeName, draftOf, furtherFieldName, wordsOf } from '../../compiler/graphql/convention/index.ts';
import { largestJson, schemaReference } from '../../compiler/json-schema/index.ts';
import { lowerFirst, parameterOf, pathSegments, type ResourceDraft, upperFirst } from '../../compiler/model/index.ts';
import {
  answerShape,
  batchKindsOf,
  bodyShape,
  itemShape,
  MOST_ITEMS,
  partsOf,
  type Shape,
} from '../../compiler/model/resources/index.ts';
import { ConfigError } from '../../descriptor/config-error.ts';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import { parentOf } from '../../descriptor/levels.ts';
import { type Json, pathParameter } from '../sync/openapi-resource.ts';
import { operationObject } from '../sync/operation-object.ts';
import { valueSchema } from '../sync/parameter-objects.ts';
import { type Addition, resourceNamed } from './addition.ts';

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
    const operationId = furtherFieldName(resource, 'batch', parentOf(side.resources, resource));
    if (side.operations.some((one) => one.operationId === operationId))
      throw new ConfigError([`${operationId} already exists.`]);
    const kinds = batchKindsOf(side.document, draft);
    const [first] = kinds;
    if (first === undefined) throw new ConfigError([`${collection} has nothing to write.`]);
    const { name } = resource;
    const named = (part: string): string => batchTypeName(resource, part);
    const words = wordsOf(lowerFirst(name));
    const schemaOf = (shape: Shape): Json => {
      switch (shape.kind) {
        case 'schema':
          return schemaReference(shape.name);
        case 'object':
          return schemaReference(named(shape.part));
        case 'property':
          return valueSchema(shape.property);
        case 'list': {
          const bounds = shape.isBounded && { minItems: 1, maxItems: mostItems(side.document, draft) };
          return { type: 'array', ...bounds, items: schemaOf(shape.items) };
        }
        case 'type':
          return { type: shape.type };
        case 'mode':
          return { type: 'string', enum: ['ATOMIC', 'EACH'], default: 'ATOMIC' };
      }
    };
    const parts = partsOf(bodyShape(itemShape(side.document, draft, kinds)));
    const all = [...parts, ...partsOf(answerShape(draft))];
    for (const { part } of all)
      if (writer.has('schemas', named(part))) throw new ConfigError([`${named(part)} already exists.`]);
    const problem = writer.has('schemas', 'Problem') && { error: schemaReference('Problem') };
    for (const { part, members, required, isOneOf } of all) {
      const described = Object.entries(members).map(([member, shape]) => [
        ...[member, { ...MEMBERS[`${part}.${member}`], ...schemaOf(shape) }],
      ]);
      await writer.addComponent('schemas', named(part), {
        description: DESCRIPTIONS[part]?.replace('ROW', words),
        type: 'object',
        ...(isOneOf && { minProperties: 1, maxProperties: 1 }),
        ...(part === 'key' && required.length === 0 && { minProperties: 1 }),
        properties: { ...Object.fromEntries(described), ...(part === 'result' && problem) },
        ...(required.length > 0 && { required }),
        ...(parts.some((one) => one.part === part) && { additionalProperties: false }),
      });
    }
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
        body: { schema: schemaReference(named('input')) },
        answer: { status: 200, description: 'The results.', schema: schemaReference(named('')) },
      }),
    });
  };

/** The descriptions of schemas, by the end of their names. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  '': 'The results of a batch.',
  input: 'Several writes of ROW rows.',
  item: 'One write of ROW rows.',
  result: 'The success or the failure of an item.',
  create: 'A new row.',
  update: 'Changes to a row, which `id` or `key` names.',
  replace: 'A row as a whole, which `id` or `key` names.',
  delete: 'The end of a row, which `id` or `key` names.',
  upsert: 'A new row, or changes to the one that has the key.',
  key: 'The values of a unique key.',
};

/** The descriptions of their members. */
const MEMBERS: Readonly<Record<string, Json>> = {
  '.data': { description: 'In the order of the items.' },
  'input.mode': { description: 'All items or none, or each by itself.' },
  'result.status': { description: 'That of the same request alone.' },
  'result.etag': { description: 'The entity tag.' },
};
