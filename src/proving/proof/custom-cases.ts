import { type GraphQLField, getNamedType, isNonNullType } from 'graphql';
import { flat, type ValueSchema } from '../../compiler/json-schema/index.ts';
import type { Schema } from '../../descriptor/document.ts';
import type { CustomField } from '../../descriptor/graphql.ts';
import type { OperationDescriptor } from '../../descriptor/rest.ts';
import type { ToolDescriptor } from '../../descriptor/tools.ts';
import type { Caller } from '../harness/callers.ts';
import {
  bodySchema,
  type CustomCall,
  callRequest,
  hasSeveralSuccesses,
  isSendable,
  sampleCall,
} from '../harness/custom-calls.ts';
import type { Route } from '../harness/graphql-requests.ts';
import { invalidValues, outOfBounds } from '../harness/invalid-values.ts';
import { graphqlCall, toolCall } from '../harness/protocols.ts';
import { NO_RESOURCE, type Step } from '../harness/step.ts';
import type { Proof } from './proof.ts';

/** Calls of each operation by each caller. */
const CALLS = 3;

interface CustomRoot {
  readonly name: string;
  readonly field: GraphQLField<unknown, unknown>;
  readonly operation: Route['operation'];
  readonly operationId: string;
  readonly sources: NonNullable<CustomField['arguments']>;
}

/** How an operation is asked for over other protocols than REST. */
interface CustomTarget {
  readonly operation: OperationDescriptor;
  /** Undefined: no root type has a field for it. */
  readonly root: CustomRoot | undefined;
  /** Undefined: it is not offered. */
  readonly tool: ToolDescriptor | undefined;
}

/**
 * Compares custom operations with the fields of the root types, and with the tools, that stand for them, as each caller; tries
 * invalid parameters and bodies as a caller who may call them all.
 */
export async function proveCustoms(proof: Proof): Promise<void> {
  for (const target of customTargets(proof)) {
    const { operation } = target;
    for (const caller of proof.callers.all)
      for (let i = 0; i < CALLS; i += 1) {
        const call = sampleCall(operation, proof);
        if (call) await compare(proof, target, call, caller);
        else proof.record.skip(`${operation.operationId}: its inputs are not made here`);
      }
    const good = sampleCall(operation, proof);
    const faults = good ? [...faultyParameters(proof, good), ...faultyBodies(proof, good)] : [];
    for (const { call, label } of proof.some(faults))
      await compare(proof, target, call, proof.callers.unrestricted, label);
  }
}

function customTargets(proof: Proof): readonly CustomTarget[] {
  const roots = customRoots(proof);
  const all = proof.rest.operations.map((operation) => ({
    operation,
    root: roots.find(({ operationId }) => operationId === operation.operationId),
    tool: operation.code && proof.tools?.of(operation.operationId),
  }));
  return all.filter(({ root, tool }) => root !== undefined || tool !== undefined);
}

interface FaultyCall {
  readonly call: CustomCall;
  readonly label: string;
}

/** A call with each parameter that it has in every way that its schema refuses. */
function faultyParameters(proof: Proof, call: CustomCall): readonly FaultyCall[] {
  const given = call.operation.parameters.filter(({ name }) => call.parameters[name] !== undefined);
  return given.flatMap(({ name, schema }) =>
    outOfBounds(proof.contract.document, flat(proof.contract.document, schema as ValueSchema))
      .filter(({ value }) => isSendable(value))
      .map(({ label, value }) => ({
        call: { ...call, parameters: { ...call.parameters, [name]: value } },
        label: `${name}: ${label}`,
      })),
  );
}

function faultyBodies(proof: Proof, call: CustomCall): readonly FaultyCall[] {
  const { document } = proof.contract;
  const declared = bodySchema(call.operation);
  if (declared === undefined) return [];
  const schema = flat(document, declared);
  const whole = proof.inputs.valueOf({ ...schema, examples: [], required: Object.keys(schema.properties ?? {}) });
  return invalidValues(document, schema, whole).map(({ label, value }) => ({ call: { ...call, body: value }, label }));
}

function customRoots({ graphql }: Proof): readonly CustomRoot[] {
  if (!graphql) return [];
  const { schema, descriptor } = graphql;
  return (['query', 'mutation'] as const).flatMap((operation) => {
    const type = operation === 'query' ? schema.getQueryType() : schema.getMutationType();
    return Object.values(type?.getFields() ?? {}).flatMap((field) => {
      const found = descriptor.fields[`${type!.name}.${field.name}`];
      if (found?.kind !== 'custom' || found.operationId === undefined) return [];
      return [{ name: field.name, field, operation, operationId: found.operationId, sources: found.arguments ?? {} }];
    });
  });
}

/** The field with its arguments; undefined when a parameter of the call has none. */
function routeOf({ name, field, operation, sources }: CustomRoot, call: CustomCall) {
  const params: Record<string, string> = {};
  for (const parameter of Object.keys(call.parameters)) {
    const argument = Object.keys(sources).find((one) => {
      const { in: place, name: given, isVersion } = sources[one] ?? {};
      return place !== 'body' && given === parameter && !isVersion;
    });
    if (argument === undefined) return undefined;
    params[argument] = parameter;
  }
  const input = field.args.find((one) => one.name === 'input');
  if (call.body !== undefined && !input) return undefined;
  const fields = [{ name, field, params, input: input && getNamedType(input.type).name, takesQuery: false }];
  return { operation, fields } satisfies Route;
}

async function compare(
  proof: Proof,
  { operation, root, tool }: CustomTarget,
  call: CustomCall,
  caller: Caller,
  label = 'good',
): Promise<void> {
  const { operationId } = operation;
  const { graphql, tools } = proof;
  const params = call.parameters as Step['params'];
  const step: Step = {
    resource: NO_RESOURCE,
    action: 'get',
    caller,
    label,
    isFaulty: !isValid(proof, call),
    params,
    input: call.body,
    mayBeNull: root !== undefined && !isNonNullType(root.field.type),
  };
  const route = root && routeOf(root, call);
  if (root && !route)
    proof.record.skip(`${root.operation} ${root.name}: its arguments are not those of ${operationId}`);
  const body = graphql && root ? graphql.restInput(step, route?.fields[0]?.input) : call.body;
  const offered = tool && tools?.of(operationId, caller);
  const calls = [
    ...(graphql && route ? [graphqlCall(graphql, step, route)] : []),
    ...(tools && offered
      ? [toolCall(step, offered, tools.customRequest(offered, call, body, caller), hasSeveralSuccesses(operation))]
      : []),
  ];
  if (calls.length === 0) return;
  const rest = callRequest(proof.rest, { ...call, body }, caller);
  const name = root?.name ?? operationId;
  await proof.exchange({ step, calls, rest, name, isEmpty: !hasContent(call), operationId });
}

/** Whether a call is as its schemas demand. */
function isValid(proof: Proof, call: CustomCall): boolean {
  const body = bodySchema(call.operation);
  return (
    (body === undefined || call.body === undefined || proof.accepts(body as Schema, call.body)) &&
    call.operation.parameters.every(({ name, schema }) => {
      const value = call.parameters[name];
      return value === undefined || schema === undefined || proof.accepts(schema, value);
    })
  );
}

const hasContent = ({ operation: { responses } }: CustomCall): boolean =>
  Object.entries(responses).some(([status, content]) => status.startsWith('2') && Object.keys(content).length > 0);
