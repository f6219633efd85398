import type { Id, ResourceDescriptor } from '../../descriptor/resource.ts';
import { circleOf, inOrder } from '../../tools/synthetic/index.ts';
import type { Caller } from '../harness/callers.ts';
import type { StoredRecord } from '../harness/rows.ts';
import { insertRows } from './insert-rows.ts';
import type { Proof } from './proof.ts';

const MAX_ATTEMPTS = 12;
const ROWS_PER_CALLER = 3;
/** Rules may ask for rows that are made by chance. */
const MAX_ROUNDS = 4;

/** Makes rows of every resource for every caller, in every reachable state; past the servers, if no action creates them. */
export async function populate(proof: Proof): Promise<void> {
  const isEmpty = (resource: ResourceDescriptor): boolean =>
    proof.rows.of(resource).length === 0 && circleOf(resource.key, proof.resources) === undefined;
  await proof.sideEffects();
  for (let round = 0; round === 0 || (round < MAX_ROUNDS && proof.resources.some(isEmpty)); round += 1)
    await makeRows(proof);
}

/** Makes some rows of every resource, for some of which others must be there. */
export async function makeRows(proof: Proof): Promise<void> {
  for (const resource of inOrder(proof.resources)) {
    const { owner, other, unrestricted } = proof.callers;
    const { create, replace } = resource.actions;
    if (create || replace?.creates)
      for (const caller of [owner, other, unrestricted])
        for (let i = 0; i < ROWS_PER_CALLER; i += 1) await fresh(proof, resource, caller);
    else if (proof.rows.of(resource).length === 0) {
      if (proof.hasTables && resource.mapped) proof.record.skip(`${resource.key}: its table has no row`);
      else await insertRows(proof, resource, ROWS_PER_CALLER);
    }
    for (const state of statesOf(resource))
      for (let i = 0; i < 2; i += 1) await inState(proof, resource, unrestricted, state);
    // What comes next may belong to these rows, as to tenants.
    proof.renewClaims();
  }
}

/**
 * Creates a row that belongs to the caller, over REST on both servers; undefined when the contract's rules forbid it.
 */
export async function fresh(
  proof: Proof,
  resource: ResourceDescriptor,
  caller: Caller,
): Promise<StoredRecord | undefined> {
  if (!resource.actions.create) return undefined;
  const { rows, inputs } = proof;
  const isForced = resource.owner?.property === 'id';
  for (let i = 0; i < (isForced ? 2 : MAX_ATTEMPTS); i += 1) {
    const params = parentOf(proof, resource, caller);
    if (!params) return undefined;
    const as = i % 3 === 2 ? proof.callers.unrestricted : caller;
    const step = { resource, action: 'create', caller: as, label: 'fresh', isFaulty: false } as const;
    const whole = i % 2 === 0 ? inputs.whole(resource, as) : withoutRuled(resource, inputs.whole(resource, as));
    const input = ownedBy(resource, whole, as === caller ? undefined : caller);
    const outcome = await proof.prepare({ ...step, params, input });
    if (outcome.kind === 'data') return rows.find(resource, (outcome.value as { id: Id }).id);
  }
  return undefined;
}

/** What not every caller may write. */
function withoutRuled({ properties }: ResourceDescriptor, input: Record<string, unknown>): Record<string, unknown> {
  const ruled = new Set(properties.filter(({ access }) => access?.write).map(({ name }) => name));
  return ruled.size === 0 ? input : Object.fromEntries(Object.entries(input).filter(([name]) => !ruled.has(name)));
}

/** A caller exempt from the owner rule names the owner in its input. */
function ownedBy(
  { owner, properties }: ResourceDescriptor,
  input: Record<string, unknown>,
  caller: Caller | undefined,
) {
  const property = properties.find(({ name, origin }) => name === owner?.property && origin === 'input');
  return property && caller ? { ...input, [property.name]: caller.subject } : input;
}

/** The path parameters of a parent under which the caller may create, or undefined. */
export function parentOf(
  proof: Proof,
  { parent }: ResourceDescriptor,
  caller: Caller,
): Record<string, string> | undefined {
  if (!parent) return {};
  const above = proof.rows.resource(parent.resource);
  const row = proof.pick(above, caller);
  return row && proof.rows.paramsOf(above, row);
}

/** Every state of the resource's first state machine. */
export function statesOf({ properties }: ResourceDescriptor): readonly string[] {
  return Object.keys(properties.find(({ transitions }) => transitions)?.transitions ?? {});
}

/** Creates a row and moves it to a state by legal transitions; undefined when the contract's rules forbid it. */
export async function inState(
  proof: Proof,
  resource: ResourceDescriptor,
  caller: Caller,
  state: string,
): Promise<StoredRecord | undefined> {
  const row = await fresh(proof, resource, caller);
  if (!row || !resource.actions.update) return undefined;
  const { name, transitions } = resource.properties.find((property) => property.transitions)!;
  for (const next of pathTo(transitions!, row[name] as string, state) ?? []) {
    const params = proof.rows.paramsOf(resource, row);
    const step = {
      resource,
      action: 'update',
      caller: proof.callers.unrestricted,
      label: 'state',
      isFaulty: false,
    } as const;
    const outcome = await proof.prepare({ ...step, params, input: { [name]: next } });
    if (outcome.kind !== 'data') return undefined;
  }
  const moved = proof.rows.find(resource, row['id'] as Id);
  return moved?.[name] === state ? moved : undefined;
}

/** The shortest sequence of transitions from one state to another, or undefined. */
function pathTo(
  transitions: Readonly<Record<string, readonly string[]>>,
  from: string,
  to: string,
): string[] | undefined {
  const paths: string[][] = [[from]];
  const seen = new Set([from]);
  for (const path of paths) {
    const last = path.at(-1)!;
    if (last === to) return path.slice(1);
    for (const next of transitions[last] ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      paths.push([...path, next]);
    }
  }
  return undefined;
}
