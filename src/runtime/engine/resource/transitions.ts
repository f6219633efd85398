import { childPointer } from '../../../descriptor/json-pointer.ts';
import type { PropertyDescriptor } from '../../../descriptor/resource.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Values } from './row-codec.ts';

/** Throws `ILLEGAL_TRANSITION` when a new row does not start in the initial state, as it does without a value. */
export function checkInitialStates(machines: readonly PropertyDescriptor[], values: Values): void {
  for (const machine of machines) {
    const state = values[machine.name];
    if (state !== undefined && state !== machine.initial)
      throw illegal(machine.name, `must start as ${machine.initial}, not ${state}`);
  }
}

/** Throws `ILLEGAL_TRANSITION`, which names the legal transitions, unless the state is `hidden` from the caller. */
export function checkTransitions(
  machines: readonly PropertyDescriptor[],
  current: Values,
  next: Values,
  hidden: readonly string[] = [],
): void {
  for (const { name, transitions } of machines) {
    const from = String(current[name]);
    const to = String(next[name]);
    const legal = transitions![from] ?? [];
    if (from === to || legal.includes(to)) continue;
    throw illegal(name, hidden.includes(name) ? `cannot change to ${to}` : refusal(from, to, legal));
  }
}

function refusal(from: string, to: string, legal: readonly string[]): string {
  const choice = legal.length === 0 ? `${from} is final` : `legal from ${from}: ${legal.join(', ')}`;
  return `cannot change from ${from} to ${to}; ${choice}`;
}

function illegal(name: string, detail: string): ApiError {
  return new ApiError('ILLEGAL_TRANSITION', {
    detail: `${name} ${detail}.`,
    errors: [{ pointer: childPointer('', name), detail }],
  });
}
