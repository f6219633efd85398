import type { Action, ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Caller } from '../proof/callers.ts';
import type { Step } from '../proof/step.ts';
import type { Random } from '../synthetic/random.ts';
import type { Callers } from './callers.ts';
import type { Session } from './session.ts';
import type { World } from './world.ts';

/** What a move has to work with. */
export interface Scene {
  readonly session: Session;
  readonly world: World;
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

/** Path parameters of a collection, below a row that is known; undefined: there is none. */
export function placeIn(
  { parent }: ResourceDescriptor,
  { world, random }: Scene,
): Readonly<Record<string, string>> | undefined {
  if (!parent) return {};
  const above = world.all.filter(({ resource }) => resource.key === parent.resource);
  return above.length === 0 ? undefined : random.pick(above).params;
}

/** The rule that hides rows, of the resource or of what it belongs to. */
export function hidingRule(resource: ResourceDescriptor, resources: readonly ResourceDescriptor[]): boolean {
  if (resource.owner) return resource.owner.reads === 'owner';
  const above = resources.find(({ key }) => key === resource.parent?.resource);
  return above !== undefined && hidingRule(above, resources);
}
