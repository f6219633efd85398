import {
  type FurtherOperation,
  type Id,
  type ResourceDescriptor,
  resourceWithKey,
  type ThroughDescriptor,
} from '../../descriptor/resource.ts';
import { admits, type Caller } from '../harness/callers.ts';
import { graphqlCall } from '../harness/protocols.ts';
import { operationOf, throughStep } from '../harness/step.ts';
import { checkOnce } from './check-lists.ts';
import { Deviation } from './deviation.ts';
import type { KnownRow } from './known-rows.ts';
import { callerFor, hidesOthersRows, isBound, type MoveContext, stepOf } from './move-context.ts';
import { comparePages, readAll } from './read-list.ts';
import { make } from './row-moves.ts';

/** A list through another resource has what known rows of that join to a row, each once, and over every protocol. */
export async function checkFurtherList(
  context: MoveContext,
  resource: ResourceDescriptor,
  through: FurtherOperation,
): Promise<void> {
  if (through.kind !== 'through') return;
  const { client, knownRows, random } = context;
  const { contract, rest, graphql } = client.protocols;
  const join = resourceWithKey(contract.resources, through.join);
  const below = resourceWithKey(contract.resources, through.below);
  const caller = callerFor(context, resource, 'list');
  if (!seesAll(context, [resource, join, below], caller) || !admits(through.access, caller)) return;
  if (knownRows.of(join).length === 0 && join.actions.create) await make(context, join);
  const joined = knownRows.of(join).flatMap(({ id, values }) => (values ? [{ id, values }] : []));
  const chosen = joined.length > 0 ? random.pick(joined).values[through.from] : undefined;
  const above = knownRows.of(below).find(({ id }) => id === String(chosen));
  if (!above) return;
  const asked = stepOf(resource, 'list', caller, { params: above.params, query: {} });
  const step = throughStep(rest.operations, below, through.operationId, asked);
  const reading = step && (await readAll(context, step, 1 + random.below(MAX_PAGE)));
  if (!reading) return;
  const subject = operationOf(step);
  checkOnce(subject, reading.rows);
  const listed = new Set(reading.rows.map(({ id }) => String(id)));
  const missing = joined.find(
    (row) => joins(row, through, chosen as Id) && !listed.has(String(row.values[through.to])),
  );
  if (reading.isWhole && missing)
    throw new Deviation(
      'through',
      subject,
      `does not list ${String(missing.values[through.to])}, which ${join.name} ${missing.id} joins`,
    );
  const nested = graphql?.nested(below) ?? [];
  const route = nested.find(
    ({ descriptor }) => descriptor.kind === 'connection' && descriptor.through === through.operationId,
  )?.route;
  await comparePages(context, step, reading, (page) => [
    ...(graphql && route ? [graphqlCall(graphql, page, route)] : []),
    ...client.calls(page),
  ]);
}

type Joined = { readonly values: NonNullable<KnownRow['values']> };

/** Entries of a page, at most. */
const MAX_PAGE = 3;

const joins = ({ values }: Joined, { from, to }: ThroughDescriptor, id: Id): boolean =>
  String(values[from]) === String(id) && values[to] != null;

function seesAll({ client }: MoveContext, resources: readonly ResourceDescriptor[], caller: Caller): boolean {
  const all = client.protocols.contract.resources;
  return resources.every((one) => !isBound(one, all, caller) && !hidesOthersRows(one, all, caller));
}
