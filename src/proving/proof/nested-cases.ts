import type { ConnectionField, CustomField, ReferenceField } from '../../descriptor/graphql.ts';
import { dependenciesOf, type Id, listOf, type ResourceDescriptor } from '../../descriptor/resource.ts';
import { pathParameters } from '../../descriptor/sent-path.ts';
import { BACKWARD } from '../../runtime/engine/lists/index.ts';
import { admits, type Caller } from '../harness/callers.ts';
import type { Route } from '../harness/graphql-requests.ts';
import { type ComparedCall, graphqlCall } from '../harness/protocols.ts';
import type { WireRequest } from '../harness/request.ts';
import type { StoredRecord } from '../harness/rows.ts';
import { type Outcome, type Step, throughStep } from '../harness/step.ts';
import { ListCases, type Page } from './list-cases.ts';
import type { Proof } from './proof.ts';

/** Queries of a connection by a caller, at most. */
const MAX_QUERIES = 12;

interface Below<D> {
  readonly parent: ResourceDescriptor;
  readonly route: Route;
  readonly descriptor: D;
}

/** Rows, at most, below which each caller lists what is joined to them. */
const MAX_JOINED = 6;

/** Compares the fields of a resource's type with equivalent REST requests, as each caller, for each owner's rows. */
export async function proveNested(proof: Proof, parent: ResourceDescriptor): Promise<void> {
  const { all } = proof.callers;
  for (const { route, descriptor } of proof.graphql?.nested(parent) ?? []) {
    for (const caller of all) {
      for (const { row } of proof.heldRows(parent)) {
        const below = { parent, route };
        if (await isHidden(proof, below, caller, row)) continue;
        if (descriptor.kind === 'reference') await proveReference(proof, { ...below, descriptor }, caller, row);
        if (descriptor.kind === 'connection') await proveConnection(proof, { ...below, descriptor }, caller, row);
        if (descriptor.kind === 'custom') await proveCustom(proof, { ...below, descriptor }, caller, row);
      }
      if (descriptor.kind === 'connection') await proveJoined(proof, { parent, route, descriptor }, caller);
    }
  }
}

/** Whether the caller cannot see the parent. Then both protocols must say so, without fields to compare. */
async function isHidden(
  proof: Proof,
  { parent, route }: Omit<Below<unknown>, 'descriptor'>,
  caller: Caller,
  row: StoredRecord,
): Promise<boolean> {
  const params = proof.rows.paramsOf(parent, row);
  const step: Step = { resource: parent, action: 'get', caller, label: 'below', params, isFaulty: false };
  const reply = await proof.servers.first.send(proof.rest.request(step));
  if (reply.status === 200) return caller.isInvalid === true;
  await exchange(proof, route, step);
  return true;
}

/**
 * Of a list through another resource: what is joined to some rows, those that the caller does not see included, below
 * which there is nothing for it.
 */
async function proveJoined(
  proof: Proof,
  { parent, route, descriptor }: Below<ConnectionField>,
  caller: Caller,
): Promise<void> {
  const resource = proof.rows.resource(descriptor.resource);
  const through = resource.further?.find(({ operationId }) => operationId === descriptor.through);
  const [followed] = through ? dependenciesOf(through) : [];
  if (
    !through ||
    !followed ||
    caller.isInvalid ||
    ![through, parent.actions.get].every((one) => one && admits(one.access, caller))
  )
    return;
  const [toAbove = ''] = followed.properties;
  const joined = new Set(proof.rows.of(proof.rows.resource(followed.resource)).map((row) => row[toAbove]));
  const above = proof.rows.of(parent).filter(({ id }) => joined.has(id));
  const query = new ListCases(proof, resource).hasCount ? { count: true } : {};
  for (const row of proof.some(above, MAX_JOINED)) {
    const params = proof.rows.paramsOf(parent, row);
    const step: Step = { resource, action: 'list', caller, label: 'joined', params, query, isFaulty: false };
    const restStep = throughStep(proof.rest.operations, parent, through.operationId, step);
    if (restStep) await exchange(proof, route, step, restStep);
  }
}

const nameOf = ({ fields }: Route): string => `get.${fields.at(-1)!.name}`;

/** Compares the field of a route with the step that is its equivalent over REST. */
const exchange = (proof: Proof, route: Route, step: Step, restStep = step): Promise<Outcome> =>
  proof.exchange({
    step,
    calls: callsOf(proof, step, route),
    rest: proof.rest.request(restStep),
    restStep,
    name: nameOf(route),
  });

async function proveReference(
  proof: Proof,
  { parent, route, descriptor }: Below<ReferenceField>,
  caller: Caller,
  row: StoredRecord,
): Promise<void> {
  const target = proof.rows.resource(descriptor.resource);
  const id = row[descriptor.property];
  const found = id == null ? undefined : proof.rows.find(target, id as Id);
  // A reference that is hidden is null, as its id is.
  if (!found || !target.actions.get || proof.fields.hides(parent, descriptor.property, row, caller)) return;
  const step: Step = {
    resource: target,
    action: 'get',
    caller,
    label: `of ${String(row['id'])}`,
    params: proof.rows.paramsOf(parent, row),
    isFaulty: false,
  };
  const asked = proof.reach.within(target, found, caller);
  if (!asked) return;
  const restStep = { ...step, caller: asked, params: proof.rows.paramsOf(target, found) };
  await exchange(proof, route, step, restStep);
}

async function proveConnection(
  proof: Proof,
  { parent, route, descriptor }: Below<ConnectionField>,
  caller: Caller,
  row: StoredRecord,
): Promise<void> {
  const resource = proof.rows.resource(descriptor.resource);
  const lists = new ListCases(proof, resource);
  const { owner, unrestricted } = proof.callers;
  const isMany = caller === owner || caller === unrestricted;
  const queries = isMany ? proof.some([...lists.queries()], MAX_QUERIES) : [];
  const ask = async (label: string, query: NonNullable<Step['query']>): Promise<Outcome | undefined> => {
    const params = proof.rows.paramsOf(parent, row);
    const step: Step = { resource, action: 'list', caller, label, params, query, isFaulty: false };
    const restStep = descriptor.through
      ? throughStep(proof.rest.operations, parent, descriptor.through, step)
      : equivalentList(parent, resource, descriptor.property, step, row['id'] as Id);
    return restStep && exchange(proof, route, step, restStep);
  };
  for (const [label, query] of [['plain', {}] as const, ...queries]) await ask(label, query);
  const first = await ask('page 1', { limit: 1 });
  const cursor = first?.kind === 'data' ? (first.value as Page).page.nextCursor : null;
  if (cursor !== null) await ask('page 2', { limit: 1, cursor });
  if (listOf(resource).pagesBack) await ask('the last page', { limit: 1, cursor: BACKWARD });
}

/**
 * The same list over REST: the parent's own list, or a filtered one; undefined when there is no such filter or it is
 * in use.
 */
function equivalentList(
  parent: ResourceDescriptor,
  resource: ResourceDescriptor,
  property: string,
  step: Step,
  id: Id,
): Step | undefined {
  if (resource.parent?.resource === parent.key && resource.parent.property === property) return step;
  const filter = resource.list?.filters.find((one) => one.property === property && one.shape !== 'object');
  if (!filter || resource.parent || step.query?.[filter.parameter] !== undefined) return undefined;
  return { ...step, params: {}, query: { ...step.query, [filter.parameter]: filter.shape === 'in' ? [id] : id } };
}

async function proveCustom(
  proof: Proof,
  { parent, route, descriptor }: Below<CustomField>,
  caller: Caller,
  row: StoredRecord,
): Promise<void> {
  const params = proof.rows.paramsOf(parent, row);
  const step: Step = { resource: parent, action: 'get', caller, label: 'custom', params, isFaulty: false };
  const rest = customRequest(proof, descriptor, step);
  if (rest) await proof.exchange({ step, calls: callsOf(proof, step, route), rest, name: nameOf(route) });
  else
    proof.record.skip(`${parent.key} ${nameOf(route)}: no GET operation that takes only the parent's path parameters`);
}

function customRequest(proof: Proof, { operationId }: CustomField, step: Step): WireRequest | undefined {
  const operation = operationId === undefined ? undefined : proof.rest.operation(operationId);
  if (operation?.method !== 'get') return undefined;
  const names = pathParameters(operation.path);
  if (names.some((name) => step.params[name] === undefined)) return undefined;
  return proof.rest.to(operation, { params: step.params }, step.caller);
}

const callsOf = ({ graphql }: Proof, step: Step, route: Route): readonly ComparedCall[] =>
  graphql ? [graphqlCall(graphql, step, route)] : [];
