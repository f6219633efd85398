import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import { HandlerError } from '../errors/handler-error.ts';

type Overrides = Readonly<Record<string, object | undefined>>;

/** Throws `HandlerError`, which names every override whose resource or action the contract does not declare. */
export function checkOverrides(resources: readonly ResourceDescriptor[], overrides: Overrides): void {
  const declared = new Map(resources.map(({ key, actions }) => [key, actions]));
  const unknown = Object.entries(overrides).flatMap(([key, actions]) => {
    const known = declared.get(key);
    if (!known) return [`overrides['${key}']: the contract does not have this resource`];
    return Object.keys(actions ?? {})
      .filter((action) => !Object.hasOwn(known, action))
      .map((action) => `overrides['${key}'].${action}: the contract does not declare this action`);
  });
  if (unknown.length > 0) throw new HandlerError(`Handlers do not fit the contract:\n  ${unknown.join('\n  ')}`);
}
