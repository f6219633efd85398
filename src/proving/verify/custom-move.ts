import type { OperationDescriptor } from '../../descriptor/rest.ts';
import { admits } from '../harness/callers.ts';
import { callRequest, hasSeveralSuccesses, sampleCall } from '../harness/custom-calls.ts';
import { Inputs } from '../harness/inputs.ts';
import { toolCall } from '../harness/protocols.ts';
import { NO_RESOURCE } from '../harness/step.ts';
import { OTHERS } from './contract-client.ts';
import { type MoveContext, stepOf } from './move-context.ts';

const NO_ROWS = { anyId: () => undefined };

/** Calls an operation that no convention describes: whatever it answers must be declared. */
export async function callCustom(context: MoveContext, operation: OperationDescriptor): Promise<void> {
  const { client, callers, knownRows, random } = context;
  const { document, resources } = client.protocols.contract;
  // Nobody knows what a custom operation does to a row that it changes, so it gets none of those that are followed.
  const isRead = operation.method === 'get';
  const rows = isRead ? knownRows.referable(random) : NO_ROWS;
  const inputs = isRead ? context.inputs : new Inputs(document, random, rows);
  const call = sampleCall(operation, { resources, random, rows, inputs });
  if (!call) return;
  const { owner, staff } = callers;
  const caller = staff && !admits(operation.access, owner) && admits(operation.access, staff) ? staff : owner;
  const { rest, tools } = client.protocols;
  const { operationId } = operation;
  const tool = tools?.of(operationId, caller);
  if (tools && tool && random.chance(OTHERS)) {
    const step = stepOf(NO_RESOURCE, 'get', caller);
    const request = tools.customRequest(tool, call, call.body, caller);
    await client.over(toolCall(step, tool, request, hasSeveralSuccesses(operation)), step, operationId);
    return;
  }
  const reply = await client.send(callRequest(rest, call, caller), caller);
  const { status } = reply;
  client.successes.add(operation.operationId, status < 400 ? undefined : String(status));
  // What nobody has written yet says so.
  if (reply.status !== 501) client.protocols.conformance.rest(operation.operationId, reply);
}
