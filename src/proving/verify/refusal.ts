import { operationOf, type Step } from '../harness/step.ts';
import { REFUSED } from './contract-client.ts';
import { Deviation } from './deviation.ts';
import type { MoveContext } from './move-context.ts';

/** How a step is to be refused. */
export interface Refusal {
  /** Of the deviation where it is not. */
  readonly rule: string;
  /** The one that is due, and others that may come before it. */
  readonly statuses: readonly number[];
  /** When: "to an anonymous caller". */
  readonly when: string;
}

/** REST refuses a step; the status. Throws `Deviation`. */
export async function refuses({ client }: MoveContext, step: Step, { rule, statuses, when }: Refusal): Promise<number> {
  const { status } = (await client.rest({ ...step, label: REFUSED })).reply;
  if (!statuses.includes(status))
    throw new Deviation(rule, operationOf(step), `answers ${status} instead of ${statuses[0]} ${when}`);
  return status;
}

/** Each protocol refuses a step in the same way. Throws `Deviation`. */
export async function refusesAlike(context: MoveContext, step: Step, refusal: Refusal): Promise<void> {
  const status = await refuses(context, step, refusal);
  for (const call of context.client.calls(step)) {
    const outcome = await context.client.over(call, { ...step, label: REFUSED });
    if (outcome.kind === 'error' && outcome.status === status) continue;
    const rule = outcome.kind === 'data' ? refusal.rule : 'parity';
    const what = `does not answer ${status}, as ${operationOf(step)} does, ${refusal.when}`;
    throw new Deviation(rule, call.subject, what);
  }
}
