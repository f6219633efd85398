import type { Outcome, Step } from '../harness/step.ts';

/**
 * What an oracle has foreseen of a step before it is run: how REST's outcome differs from that, undefined where it does not.
 * To be asked when the rows are those after the step.
 */
export type Judgement = (outcome: Outcome) => string | undefined | Promise<string | undefined>;

/** Whether the rules say something of the answer to a step. `overridden`: the operations that handlers answer in their own ways. */
export function isJudged(
  { resource, action, through, caller, isFaulty }: Step,
  overridden: ReadonlySet<string>,
): boolean {
  const operation = through ?? resource.actions[action];
  return operation !== undefined && !isFaulty && !caller.isInvalid && !overridden.has(operation.operationId);
}

/** The first difference that an oracle finds. */
export async function firstFound(
  judgements: readonly (Judgement | undefined)[],
  outcome: Outcome,
): Promise<string | undefined> {
  for (const judge of judgements) {
    const found = await judge?.(outcome);
    if (found !== undefined) return found;
  }
  return undefined;
}
