import { levelsFrom } from '../../descriptor/levels.ts';
import { type Action, declaredAction, type ResourceDescriptor } from '../../descriptor/resource.ts';
import { tenantRules } from '../../descriptor/tenant.ts';
import type { Random } from '../../tools/random.ts';
import { admits, type Caller } from '../harness/callers.ts';
import type { Inputs } from '../harness/inputs.ts';
import type { Step } from '../harness/step.ts';
import type { Callers } from './callers.ts';
import type { ContractClient } from './contract-client.ts';
import type { KnownRows } from './known-rows.ts';

/** What a move works with. */
export interface MoveContext {
  readonly client: ContractClient;
  readonly knownRows: KnownRows;
  readonly callers: Callers;
  readonly inputs: Inputs;
  readonly random: Random;
}

export const stepOf = (
  resource: ResourceDescriptor,
  action: Action,
  caller: Caller,
  rest: Partial<Step> = {},
): Step => ({
  resource,
  action,
  caller,
  label: 'verify',
  isFaulty: false,
  params: {},
  ...rest,
});

/**
 * The path parameters of a collection: those of a random known parent, of the caller's own if it has any. Undefined when
 * no parent is known.
 */
export function parentParams(
  { parent }: ResourceDescriptor,
  { knownRows, random }: MoveContext,
  caller: Caller,
): Readonly<Record<string, string>> | undefined {
  if (!parent) return {};
  const above = knownRows.all.filter(({ resource }) => resource.key === parent.resource);
  const own = above.filter((row) => row.caller === caller);
  return above.length === 0 ? undefined : random.pick(own.length > 0 ? own : above).params;
}

/**
 * Whether the resource, or its nearest ancestor with an owner, hides the rows of others from a caller: its scopes may
 * lift the rule.
 */
export function hidesOthersRows(
  resource: ResourceDescriptor,
  resources: readonly ResourceDescriptor[],
  { scopes }: Pick<Caller, 'scopes'>,
): boolean {
  const owner = levelsFrom(resource, resources).find((one) => one.owner)?.owner;
  return owner?.reads === 'owner' && !(owner.scope !== undefined && scopes.has(owner.scope));
}

/**
 * Whether rules of row access decide by the row what a caller may do with a resource, or with what it belongs to. Whether a
 * row that such a caller makes is there for it is then for the rules to say.
 */
export function isBound(
  resource: ResourceDescriptor,
  resources: readonly ResourceDescriptor[],
  { scopes }: Pick<Caller, 'scopes'>,
): boolean {
  const rules = levelsFrom(resource, resources)
    .flatMap(({ rowAccess = {}, properties }) => [rowAccess, ...properties.map(({ access = {} }) => access)])
    .flatMap((one) => Object.values(one))
    // What a caller makes is of its own tenant.
    .flatMap((alternatives) => {
      const { others } = tenantRules(alternatives);
      return others ? [others] : [];
    });
  const isFree = rules.every((alternatives) =>
    alternatives.some(({ scope, where }) => !where && (scope === undefined || scopes.has(scope))),
  );
  return !isFree;
}

/** The first caller, by default the owner, unless it may not do the action with any row and the staff may. */
export function callerFor(
  { client, callers: { owner, staff } }: MoveContext,
  resource: ResourceDescriptor,
  action: Action,
  first: Caller = owner,
): Caller {
  const { access } = declaredAction(resource, action);
  const { resources } = client.protocols.contract;
  if (!staff || !admits(access, staff)) return first;
  const isFreer = isBound(resource, resources, first) && !isBound(resource, resources, staff);
  return isFreer || !admits(access, first) ? staff : first;
}

/** Whether the scopes of a caller suffice for an action. */
export const mayDo = (caller: Caller, { actions }: ResourceDescriptor, action: Action): boolean =>
  admits(actions[action]!.access, caller);
