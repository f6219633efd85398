import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import type { BatchDraft, OperationDraft, ResourceDraft } from '../draft.ts';
import { pathShape } from '../naming.ts';
import { jsonContent } from '../responses.ts';
import { answerShape, batchKindsOf, bodyShape, differencesOf, itemShape, sizesOf } from './batch-shape.ts';
import { type FurtherFault, faultOf, type ReadFurther, unknownResource } from './further-fault.ts';

/** The extension of an operation that writes several rows: `x-batch: Product`. */
const BATCH = 'x-batch';
const JSON_TYPE = 'application/json';

/** An operation with `x-batch`, as far as it can be read. */
export interface ReadBatch extends ReadFurther<BatchDraft> {
  /** The schema of its body. */
  readonly body?: Schema;
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

function read(
  document: OpenApiDocument,
  operation: OperationDraft,
  name: string,
  resources: readonly ResourceDraft[],
): Omit<ReadBatch, 'operation'> {
  const id = `\`${operation.operationId}\``;
  const resource = resources.find((one) => one.name === name);
  if (!resource) return { faults: [unknownResource(operation, BATCH, 'writes', name, resources)] };
  if (operation.method !== 'post' || operation.shape !== pathShape(`${resource.path}/batch`)) {
    const message = `${id} has \`${BATCH}\`, but is not below the collection of \`${name}\`.`;
    return { faults: [faultOf(BATCH, message, `A batch of \`${name}\` is \`POST ${resource.path}/batch\`.`)] };
  }
  const { faults, body, ...sizes } = bodyOf(document, operation, resource);
  if (faults.length > 0 || body === undefined) return { resource, faults };
  const patch = [...(resource.patch?.properties.keys() ?? [])];
  return { resource, faults, body, further: { kind: 'batch', action: 'batch', operation, ...sizes, patch } };
}

/** The body of a batch, the faults in it and in the answer, and the items that it may have. */
function bodyOf(document: OpenApiDocument, operation: OperationDraft, resource: ResourceDraft) {
  const { operationId, body: request, node } = operation;
  const id = `\`${operationId}\``;
  const body = jsonContent(request)?.schema;
  const answer = jsonContent(operation.responses.get('200'))?.schema;
  const known = batchKindsOf(document, resource);
  const wrong = (key: 'requestBody' | 'responses', words: string, hint: string): FurtherFault => ({
    key,
    message: `${id} ${words}.`,
    hint,
  });
  const isWhole = request?.required === true && Object.keys(request.content ?? {}).length === 1;
  const successes = Object.keys(node.responses ?? {}).filter((status) => /^[23]/.test(status));
  const shape = bodyShape(itemShape(document, resource, known));
  const faults = [
    ...(isWhole && body !== undefined
      ? differencesOf(document, [body], shape, { operationId, key: 'requestBody', path: '' })
      : [wrong('requestBody', 'does not require a JSON body', `Write \`required: true\` and \`${JSON_TYPE}\` alone.`)]),
    ...(successes.join() === '200' && answer !== undefined
      ? differencesOf(document, [answer], answerShape(resource), { operationId, key: 'responses', path: '' })
      : [wrong('responses', 'does not return 200 alone', `Return 200 with \`${JSON_TYPE}\`, and no other success.`)]),
  ];
  // A schema that several members refer to has its faults once.
  const first = (one: FurtherFault) => faults.find(({ node: of, hint }) => of === one.node && hint === one.hint);
  const sizes = sizesOf(document, body ?? true, known);
  return { body, faults: faults.filter((one) => first(one) === one), ...sizes };
}
