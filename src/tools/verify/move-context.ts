import type { Action, ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Caller } from '../proof/callers.ts';
import type { Step } from '../proof/step.ts';
import type { Random } from '../synthetic/random.ts';
import type { Callers } from './callers.ts';
import type { ContractClient } from './contract-client.ts';
import type { KnownRows } from './known-rows.ts';

/** What a move works with. */
export interface MoveContext {
  readonly client: ContractClient;
  readonly knownRows: KnownRows;
  readonly callers: Callers;
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

/** The path parameters of a collection: those of a random known parent. Undefined when no parent is known. */
export function parentParams(
  { parent }: ResourceDescriptor,
  { knownRows, random }: MoveContext,
): Readonly<Record<string, string>> | undefined {
  if (!parent) return {};
  const above = knownRows.all.filter(({ resource }) => resource.key === parent.resource);
  return above.length === 0 ? undefined : random.pick(above).params;
}

/** Whether the resource, or its nearest ancestor with an owner, hides rows from callers who do not own them. */
export function hasOwnerRule(resource: ResourceDescriptor, resources: readonly ResourceDescriptor[]): boolean {
  if (resource.owner) return resource.owner.reads === 'owner';
  const above = resources.find(({ key }) => key === resource.parent?.resource);
  return above !== undefined && hasOwnerRule(above, resources);
}
