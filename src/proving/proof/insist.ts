import type { Action, ResourceDescriptor } from '../../descriptor/resource.ts';
import { circleOf } from '../../tools/synthetic/index.ts';
import type { Caller } from '../harness/callers.ts';
import type { StoredRecord } from '../harness/rows.ts';
import { makeRows, parentOf } from './population.ts';
import type { Proof } from './proof.ts';
import { keeping } from './write-cases.ts';

/** Requests for one action, at most, and how often more rows are made between them. */
const TRIES = 30;
const ROUNDS = 3;

/** Asks for an action in which no case before has succeeded until it succeeds, about rows for which its rules hold first. */
export async function insist(proof: Proof, resource: ResourceDescriptor, action: Action): Promise<void> {
  const { operationId } = resource.actions[action]!;
  const isDone = (): boolean => proof.record.successes.succeeded.has(operationId);
  const hasRows = action === 'create' || action === 'list' || proof.rows.of(resource).length > 0;
  if (!proof.compares(resource, action) || !hasRows || circleOf(resource.key, proof.resources)) return;
  for (let round = 0; round < ROUNDS && !isDone(); round += 1) {
    if (round > 0) await makeRows(proof);
    for (const [caller, row] of triesFor(proof, resource, action).slice(0, TRIES)) {
      if (isDone()) return;
      if (row && action === 'delete') await clear(proof, resource, row);
      const params = row ? proof.rows.paramsOf(resource, row) : parentOf(proof, resource, caller);
      const step = { resource, action, caller, label: 'once more', isFaulty: false };
      if (params) await proof.run({ ...step, params, ...inputOf(proof, resource, action, caller, row) });
    }
  }
}

/** Callers, each with a row where the action is about one: first where the rules of the contract let it be done. */
function triesFor(proof: Proof, resource: ResourceDescriptor, action: Action): [Caller, StoredRecord | undefined][] {
  const { owner, other, unrestricted } = proof.callers;
  const isOfRow = action !== 'create' && action !== 'list';
  const rows = isOfRow ? proof.rows.of(resource) : Array.from({ length: TRIES }, () => undefined);
  const pairs = rows.flatMap((row) =>
    [unrestricted, owner, other].map((caller): [Caller, typeof row] => [caller, row]),
  );
  const rule = action === 'update' || action === 'replace' ? 'update' : action === 'delete' ? 'delete' : 'read';
  const { model } = proof.reach;
  const isLikely = ([caller, row]: (typeof pairs)[number]): boolean =>
    !row || (model.isWithin(resource, row, caller) && model.allows(rule, resource, row, caller) !== false);
  const mixed = proof.random.sample(pairs, pairs.length);
  return [...mixed.filter(isLikely), ...mixed.filter((one) => !isLikely(one))];
}

/** What is sent: of an update one property alone. */
function inputOf(proof: Proof, resource: ResourceDescriptor, action: Action, caller: Caller, row?: StoredRecord) {
  const { inputs, random } = proof;
  if (action === 'update')
    return { input: Object.fromEntries(random.sample(Object.entries(inputs.full(resource, 'patch', caller)), 1)) };
  if (action !== 'create' && action !== 'replace') return {};
  const whole = inputs.whole(resource, caller);
  return { input: row ? keeping(resource, whole, row, 'replace') : whole };
}

/** Deletes the rows that refer to one, those that refer to them first, as far as somebody may. */
async function clear(proof: Proof, target: ResourceDescriptor, { id }: StoredRecord, depth = 0): Promise<void> {
  const { owner, other, unrestricted } = proof.callers;
  for (const resource of depth < proof.resources.length ? proof.resources : []) {
    const refers = (row: StoredRecord): boolean =>
      resource.properties.some(
        ({ name, references }) => references?.resource === target.key && String(row[name]) === String(id),
      );
    for (const row of resource.actions.delete ? proof.rows.of(resource).filter(refers) : []) {
      await clear(proof, resource, row, depth + 1);
      const params = proof.rows.paramsOf(resource, row);
      for (const caller of [unrestricted, owner, other])
        await proof.prepare({ resource, action: 'delete', caller, label: 'clear', isFaulty: false, params });
    }
  }
}
