import { type Id, isIdChosen, type ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Caller } from '../harness/callers.ts';
import { missingId } from '../harness/ids.ts';
import type { StoredRecord } from '../harness/rows.ts';
import type { Step } from '../harness/step.ts';
import { badParams } from './parameter-cases.ts';
import { fresh, inState, parentOf, statesOf } from './population.ts';
import type { Proof } from './proof.ts';
import { proveCreateByPut } from './put-cases.ts';

type Write = 'replace' | 'update';

/** Creates below each owner's parents as each caller; tries invalid inputs as callers who may create. */
export async function proveCreate(proof: Proof, resource: ResourceDescriptor): Promise<void> {
  const { owner, other, unrestricted, all } = proof.callers;
  const run = (caller: Caller, label: string, params: Step['params'], input: unknown, isFaulty = false) =>
    proof.run({ resource, action: 'create', caller, label, params, input, isFaulty });
  for (const caller of all) {
    for (const holder of [owner, other]) {
      const params = parentOf(proof, resource, holder);
      if (params) await run(caller, `good, ${holder.name}'s parent`, params, proof.inputs.whole(resource, caller));
    }
  }
  const params = parentOf(proof, resource, owner);
  if (!params) return;
  for (const caller of proof.some([owner, unrestricted])) {
    await run(caller, 'required properties only', params, proof.inputs.required(resource, caller));
    const twice = proof.inputs.whole(resource, caller);
    for (const label of ['first', 'the same again']) await run(caller, label, params, twice);
    for (const [label, input] of duplicates(proof, resource, proof.inputs.whole(resource)))
      await run(caller, label, params, input);
    for (const [label, input] of dangling(proof, resource, proof.inputs.full(resource, 'input')))
      await run(caller, label, params, input);
    for (const [label, bad] of badParams(proof, resource, params)) {
      await run(caller, label, bad, proof.inputs.whole(resource), true);
    }
  }
  for (const { label, value } of proof.some(proof.inputs.invalid(resource, 'input')))
    await run(proof.random.pick([owner, unrestricted]), label, params, value, true);
  for (const input of [null, [], 'text', 1])
    await run(unrestricted, `${JSON.stringify(input)} as input`, params, input, true);
}

/** Replaces or updates each owner's rows as each caller; tries invalid inputs as callers who may write. */
export async function proveChange(proof: Proof, resource: ResourceDescriptor, action: Write): Promise<void> {
  const { owner, unrestricted, all } = proof.callers;
  const kind = action === 'replace' ? 'input' : 'patch';
  const make = (caller: Caller): Record<string, unknown> =>
    kind === 'input' ? proof.inputs.whole(resource, caller) : proof.inputs.patch(resource, caller);
  const run = (caller: Caller, label: string, row: StoredRecord, input: unknown, more: Partial<Step> = {}) => {
    const params = proof.rows.paramsOf(resource, row);
    return proof.run({ resource, action, caller, label, isFaulty: false, params, input, ...more });
  };
  for (const caller of all) {
    for (const { holder, row } of proof.heldRows(resource))
      await run(caller, `good, ${holder.name}'s`, row, keeping(resource, make(caller), row, action));
  }
  const row = (await fresh(proof, resource, owner)) ?? proof.pick(resource, owner);
  if (!row) return;
  for (const caller of proof.some([owner, unrestricted])) {
    const current = () => proof.rows.find(resource, row['id'] as Id)?.['version'] as number;
    const next = (): Record<string, unknown> => keeping(resource, make(caller), row, action);
    await run(caller, 'the expected version', row, next(), { ifVersion: current() });
    await run(caller, 'another version', row, next(), { ifVersion: current() + 7 });
    await run(caller, 'no change', row, kind === 'input' ? next() : {});
    for (const [label, input] of duplicates(proof, resource, next(), row)) await run(caller, label, row, input);
    for (const [label, input] of dangling(proof, resource, { ...proof.inputs.full(resource, kind), ...next() }))
      await run(caller, label, row, input);
    for (const [label, input] of immutable(proof, resource, action))
      await run(caller, label, row, input, { isFaulty: true });
    for (const [label, bad] of badParams(proof, resource, proof.rows.paramsOf(resource, row)))
      await run(caller, label, row, next(), { params: bad, isFaulty: true });
  }
  for (const { label, value } of proof.some(proof.inputs.invalid(resource, kind)))
    await run(proof.random.pick([owner, unrestricted]), label, row, value, { isFaulty: true });
  if (action === 'update') await proveClearing(proof, resource, row);
  else await proveCreateByPut(proof, resource);
  for (const input of [null, [], 'text'])
    await run(unrestricted, `${JSON.stringify(input)} as input`, row, input, { isFaulty: true });
  await proveTransitions(proof, resource, action);
}

/** Sets each property, clears it by null, and sets it again. */
async function proveClearing(proof: Proof, resource: ResourceDescriptor, row: StoredRecord): Promise<void> {
  const { unrestricted } = proof.callers;
  const params = proof.rows.paramsOf(resource, row);
  const full = proof.inputs.full(resource, 'patch');
  for (const [name, value] of Object.entries(full)) {
    if (resource.properties.find((property) => property.name === name)?.transitions) continue;
    for (const one of [value, null, value]) {
      const label = `${name}: ${one === null ? 'cleared' : 'set'}`;
      const step = { resource, action: 'update', caller: unrestricted, label, params, isFaulty: true } as const;
      await proof.run({ ...step, input: { [name]: one } });
    }
  }
}

/** Tries to change from every state to every other. */
async function proveTransitions(proof: Proof, resource: ResourceDescriptor, action: Write): Promise<void> {
  const { owner, unrestricted } = proof.callers;
  const property = resource.properties.find(({ transitions }) => transitions);
  if (!property) return;
  for (const from of statesOf(resource)) {
    for (const to of statesOf(resource)) {
      const row = await inState(proof, resource, owner, from);
      if (!row) break;
      const rest = action === 'replace' ? keeping(resource, proof.inputs.whole(resource), row, action) : {};
      const input = { ...rest, [property.name]: to };
      const params = proof.rows.paramsOf(resource, row);
      const caller = proof.random.pick([owner, unrestricted]);
      await proof.run({ resource, action, caller, label: `${from} to ${to}`, isFaulty: false, params, input });
    }
  }
}

export async function proveDelete(proof: Proof, resource: ResourceDescriptor): Promise<void> {
  const { owner, other, unrestricted, all } = proof.callers;
  const run = (caller: Caller, label: string, row: StoredRecord, more: Partial<Step> = {}) => {
    const params = proof.rows.paramsOf(resource, row);
    return proof.run({ resource, action: 'delete', caller, label, isFaulty: false, params, ...more });
  };
  for (const caller of all) {
    for (const holder of [owner, other]) {
      const row = (await fresh(proof, resource, holder)) ?? proof.pick(resource, holder);
      if (row) await run(caller, `good, ${holder.name}'s`, row);
    }
  }
  for (const caller of proof.some([owner, unrestricted])) {
    const row = (await fresh(proof, resource, owner)) ?? proof.pick(resource, owner);
    if (!row) continue;
    for (const [label, bad] of badParams(proof, resource, proof.rows.paramsOf(resource, row)))
      await run(caller, label, row, { params: bad, isFaulty: true });
    await run(caller, 'another version', row, { ifVersion: (row['version'] as number) + 7 });
    await run(caller, 'the expected version', row, { ifVersion: row['version'] as number });
    await run(caller, 'gone', row);
  }
  for (const row of proof.random.sample(proof.rows.of(resource), 3))
    await run(unrestricted, 'with rows that refer to it', row);
}

/** Gives a replacement the row's values of properties that cannot change, so that most replacements succeed. */
export function keeping(
  resource: ResourceDescriptor,
  input: Record<string, unknown>,
  row: StoredRecord,
  action: Write,
): Record<string, unknown> {
  if (action === 'update') return input;
  const kept = { ...input };
  for (const { name, immutable, transitions, type, origin } of resource.properties) {
    if (origin !== 'input' || !(immutable || transitions)) continue;
    const value = row[name];
    if (value !== null && value !== undefined) kept[name] = type === 'json' ? JSON.parse(String(value)) : value;
  }
  return kept;
}

/** The input with another row's values of unique properties. */
function* duplicates(
  { rows, inputs }: Proof,
  resource: ResourceDescriptor,
  input: Record<string, unknown>,
  own?: StoredRecord,
): Generator<[string, unknown]> {
  const another = rows.of(resource).find((row) => row['id'] !== own?.['id']);
  const known = new Set(Object.keys({ ...input, ...inputs.schemaOf(resource.schemas.input).properties }));
  const keys = isIdChosen(resource) ? [['id'], ...resource.unique] : resource.unique;
  for (const names of another ? keys : []) {
    const taken = names.filter((name) => known.has(name) && another![name] !== null);
    if (taken.length > 0)
      yield [`${taken} of another`, { ...input, ...Object.fromEntries(taken.map((name) => [name, another![name]])) }];
  }
}

function* dangling(
  proof: Proof,
  resource: ResourceDescriptor,
  input: Record<string, unknown>,
): Generator<[string, unknown]> {
  for (const { name, references } of resource.properties)
    if (references && input[name] !== undefined) {
      const target = proof.rows.resource(references.resource);
      yield [`${name}: of no row`, { ...input, [name]: missingId(proof, target) }];
    }
}

/** Inputs that change properties which can only be set on creation. */
function* immutable(proof: Proof, resource: ResourceDescriptor, action: Write): Generator<[string, unknown]> {
  const whole = proof.inputs.full(resource, 'input');
  for (const { name, immutable: isFixed } of resource.properties)
    if (isFixed && whole[name] !== undefined)
      yield [`${name}: immutable`, action === 'replace' ? whole : { [name]: whole[name] }];
}
