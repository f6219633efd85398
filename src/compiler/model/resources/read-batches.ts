import { conventionNames } from '../../../descriptor/convention-names.ts';
import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import { schemaNameOf } from '../../../descriptor/references.ts';
import { BATCH_KINDS, type BatchKind, rowKeys } from '../../../descriptor/resource.ts';
import { tenantOf } from '../access/tenant-rule.ts';
import type { BatchDraft, OperationDraft, ResourceDraft } from '../draft.ts';
import { pathShape } from '../naming.ts';
import { jsonContent } from '../responses.ts';
import { flatSchema } from '../schemas.ts';
import { uniqueSets } from './object-draft.ts';
import type { FurtherFault } from './read-throughs.ts';

/** The extension of an operation that writes several rows: `x-batch: Product`. */
const BATCH = 'x-batch';
/** GraphQL lists no more errors of an answer. */
const MOST_ITEMS = 100;
const MODES = ['ATOMIC', 'EACH'];

type FlatSchema = ReturnType<typeof flatSchema>;

/** An operation with `x-batch`, as far as it can be read. */
export interface ReadBatch {
  readonly operation: OperationDraft;
  readonly resource?: ResourceDraft;
  readonly batch?: BatchDraft;
  /** The schema of its body. */
  readonly body?: Schema;
  readonly faults: readonly FurtherFault[];
}

/** The operations that write batches, those with faults included. */
export const readBatches = (
  document: OpenApiDocument,
  operations: readonly OperationDraft[],
  resources: readonly ResourceDraft[],
): readonly ReadBatch[] =>
  operations.flatMap((operation) => {
    const name: unknown = (operation.node as Readonly<Record<string, unknown>>)[BATCH];
    return typeof name === 'string' ? [{ operation, ...read(document, operation, name, resources) }] : [];
  });

/** The properties that name one row of a resource, by its keys. */
export const keysOfRows = (document: OpenApiDocument, resource: ResourceDraft): readonly (readonly string[])[] => {
  const { parent, keyProperty } = resource;
  const tenant = tenantOf(document, resource);
  return rowKeys({ unique: uniqueSets(resource), parent, tenant, ...(keyProperty !== undefined && { keyProperty }) });
};

/** The kinds of items that a resource has actions for. */
export function batchKindsOf(document: OpenApiDocument, resource: ResourceDraft): readonly BatchKind[] {
  const { operations, input, patch } = resource;
  const isKeyed = keysOfRows(document, resource).length > 0;
  return BATCH_KINDS.filter((kind) => {
    if (kind === 'upsert') return isKeyed && operations.create && operations.update && input && patch;
    return operations[kind] !== undefined;
  });
}

/** The members of an item: the name of a schema, `row` for a property of the server, and whether it must be there. */
type Members = Readonly<Record<string, { readonly schema?: string | undefined; readonly isRequired?: boolean }>>;

export function membersOfItem(document: OpenApiDocument, resource: ResourceDraft, kind: BatchKind): Members {
  const [input, patch] = [resource.input?.name, resource.patch?.name];
  const { ifVersion } = conventionNames(resource.nameCase);
  const row: Members = { id: {}, ...(keysOfRows(document, resource).length > 0 && { key: {} }) };
  switch (kind) {
    case 'create':
      return { input: { schema: input, isRequired: true } };
    case 'update':
      return { ...row, input: { schema: patch, isRequired: true }, [ifVersion]: {} };
    case 'replace':
      return { ...row, input: { schema: input, isRequired: true }, [ifVersion]: {} };
    case 'delete':
      return { ...row, [ifVersion]: {} };
    case 'upsert':
      return { key: { isRequired: true }, create: { schema: input, isRequired: true }, update: { schema: patch } };
  }
}

function read(
  document: OpenApiDocument,
  operation: OperationDraft,
  name: string,
  resources: readonly ResourceDraft[],
): Omit<ReadBatch, 'operation'> {
  const id = `\`${operation.operationId}\``;
  const resource = resources.find((one) => one.name === name);
  if (!resource) {
    const fault = { key: BATCH, message: `${id} writes \`${name}\`, which is not a resource.` };
    const known = resources.map((one) => one.name);
    return { faults: [{ ...fault, hint: 'Name the schema of a resource.', unknown: { name, known } }] };
  }
  if (operation.method !== 'post' || operation.shape !== pathShape(`${resource.path}/batch`)) {
    const message = `${id} has \`${BATCH}\`, but is not below the collection of \`${name}\`.`;
    return { faults: [{ key: BATCH, message, hint: `A batch of \`${name}\` is \`POST ${resource.path}/batch\`.` }] };
  }
  const body = jsonContent(operation.body)?.schema;
  const flat = flatSchema(document, body ?? true);
  const items = propertyOf(document, flat, 'items');
  const maxItems = Number(items?.keywords.get('maxItems')?.value);
  const item = items && flatSchema(document, (items.keywords.get('items')?.value ?? true) as Schema);
  const kinds = BATCH_KINDS.filter((kind) => item?.properties.has(kind));
  const faults = [
    ...bodyFaults(document, operation, flat, maxItems),
    ...(item ? itemFaults(document, operation, resource, item) : []),
    ...answerFaults(document, operation, resource),
  ];
  if (faults.length > 0) return { resource, faults };
  const patch = [...(resource.patch?.properties.keys() ?? [])];
  return {
    resource,
    faults,
    ...(body !== undefined && { body }),
    batch: { kind: 'batch', action: 'batch', operation, kinds, maxItems, patch },
  };
}

function propertyOf(document: OpenApiDocument, { properties }: FlatSchema, name: string): FlatSchema | undefined {
  const site = properties.get(name);
  return site && flatSchema(document, ...site.schemas);
}

const faultOf = (key: string, message: string, hint: string): FurtherFault => ({ key, message, hint });

function bodyFaults(
  document: OpenApiDocument,
  { operationId, body }: OperationDraft,
  flat: FlatSchema,
  maxItems: number,
): readonly FurtherFault[] {
  const id = `\`${operationId}\``;
  const isWhole = [...flat.properties.keys()].every((name) => name === 'mode' || name === 'items');
  if (body?.required !== true || !flat.required.has('items') || !isWhole)
    return [
      faultOf(
        'requestBody',
        `The body of ${id} is not a batch.`,
        'Require a body of `application/json` that requires `items`, and may have `mode`, and nothing else.',
      ),
    ];
  const mode = propertyOf(document, flat, 'mode');
  const values = [mode?.keywords.get('enum')?.value].flat();
  const isMode = !mode || values.every((value) => MODES.includes(value as string));
  return [
    ...(isMode && (!mode || mode.keywords.get('default')?.value === 'ATOMIC')
      ? []
      : [
          faultOf(
            'requestBody',
            `\`mode\` of ${id} is not that of a batch.`,
            'Write `mode: { type: string, enum: [ATOMIC, EACH], default: ATOMIC }`.',
          ),
        ]),
    ...(maxItems >= 1 && maxItems <= MOST_ITEMS
      ? []
      : [
          faultOf(
            'requestBody',
            `\`items\` of ${id} are not bounded.`,
            `Write \`minItems: 1\` and \`maxItems\` of at most ${MOST_ITEMS}.`,
          ),
        ]),
  ];
}

function itemFaults(
  document: OpenApiDocument,
  { operationId }: OperationDraft,
  resource: ResourceDraft,
  item: FlatSchema,
): readonly FurtherFault[] {
  const known = batchKindsOf(document, resource);
  const at = (place: string): string => `\`${place}\` of an item of \`${operationId}\``;
  const faults: FurtherFault[] = [];
  const fault = (message: string, hint: string) => faults.push(faultOf('requestBody', message, hint));
  const isOne = ['minProperties', 'maxProperties'].every((keyword) => item.keywords.get(keyword)?.value === 1);
  if (!isOne || item.required.size > 0 || item.properties.size === 0)
    fault(
      `An item of \`${operationId}\` does not have exactly one member.`,
      'Write `minProperties: 1` and `maxProperties: 1`, and require no member.',
    );
  for (const [kind, { schemas }] of item.properties) {
    if (!known.some((one) => one === kind)) {
      fault(
        `${at(kind)} is not an action of \`${resource.name}\`.`,
        known.length > 0 ? `Items may have ${known.map((one) => `\`${one}\``).join(', ')}.` : 'Remove the operation.',
      );
      continue;
    }
    const members = membersOfItem(document, resource, kind as BatchKind);
    const { properties, required } = flatSchema(document, ...schemas);
    for (const name of properties.keys())
      if (!Object.hasOwn(members, name))
        fault(
          `${at(`${kind}.${name}`)} means nothing.`,
          `Remove it; \`${kind}\` has ${Object.keys(members).join(', ')}.`,
        );
    for (const [name, { schema, isRequired = false }] of Object.entries(members)) {
      const site = properties.get(name);
      if (!site && (isRequired || (name === 'id' && !properties.has('key'))))
        fault(
          `${at(`${kind}.${name}`)} is missing.`,
          `Add it${schema === undefined ? '' : `, with the schema \`${schema}\``}.`,
        );
      if (!site) continue;
      if (required.has(name) !== isRequired)
        fault(
          `${at(`${kind}.${name}`)} is ${isRequired ? 'not ' : ''}required.`,
          isRequired ? 'Require it.' : 'Do not require it.',
        );
      if (schema !== undefined && !site.schemas.some((one) => schemaNameOf(one) === schema))
        fault(`${at(`${kind}.${name}`)} has another schema than the action.`, `Refer to \`${schema}\`.`);
    }
  }
  return faults;
}

/** What its answer is compared by: an array `data` of results. */
function answerFaults(
  document: OpenApiDocument,
  operation: OperationDraft,
  { name }: ResourceDraft,
): readonly FurtherFault[] {
  const schema = jsonContent(operation.responses.get('200'))?.schema;
  const data = propertyOf(document, flatSchema(document, schema ?? true), 'data');
  const result = flatSchema(document, (data?.keywords.get('items')?.value ?? true) as Schema);
  const isWhole =
    result.required.has('status') &&
    ['etag', 'error'].every((member) => result.properties.has(member)) &&
    result.properties.get('data')?.schemas.some((one) => schemaNameOf(one) === name) === true;
  if (isWhole) return [];
  const message = `\`${operation.operationId}\` does not answer the results of a batch.`;
  const hint = `Return 200 with \`data\`, an array of results that have \`status\` (required), \`etag\`, \`data\` (\`${name}\`) and \`error\`.`;
  return [faultOf('responses', message, hint)];
}
