import { isDeepStrictEqual } from 'node:util';
import { listOf } from '../../descriptor/resource.ts';
import type { ComparedCall } from '../harness/protocols.ts';
import { type Outcome, operationOf, type Step } from '../harness/step.ts';
import { Deviation } from './deviation.ts';
import type { Values } from './known-rows.ts';
import type { MoveContext } from './move-context.ts';

/** Maximum number of pages to read of one list. */
const MAX_PAGES = 12;

/** Rows of a list, and whether there are no others. */
export interface Reading {
  readonly rows: readonly Values[];
  readonly isWhole: boolean;
}

/** Reads a list page by page; undefined when the server refuses it for a reason that the contract declares. */
export async function readAll({ client }: MoveContext, step: Step, limit: number): Promise<Reading | undefined> {
  const deviation = (what: string): Deviation => new Deviation('paging', operationOf(step), what);
  const rows: Values[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { ...step.query, limit, ...(cursor && { cursor }) };
    const { outcome, reply } = await client.rest({ ...step, query });
    if (outcome.kind !== 'data') {
      if (page > 0) throw deviation(`answers ${reply.status} to a cursor that it issued`);
      return undefined;
    }
    const { data, page: info } = outcome.value as { data: Values[]; page: { nextCursor?: string | null } };
    if (data.length > limit) throw deviation(`returns ${data.length} entries; the limit was ${limit}`);
    rows.push(...data);
    cursor = info.nextCursor;
    if (!cursor) return { rows, isWhole: true };
    if (data.length === 0) throw deviation('returns an empty page with a cursor');
  }
  return { rows, isWhole: false };
}

/** A list finds these rows, in this order, and the same over every protocol; nothing is known of a list that is not whole. */
export async function finds(
  context: MoveContext,
  step: Step,
  expected: readonly Values[],
  { rule, by }: { readonly rule: string; readonly by: string },
): Promise<void> {
  const found = await readAll(context, step, listOf(step.resource).maximumLimit);
  if (!found?.isWhole) return;
  if (!isDeepStrictEqual(idsOf(found.rows), idsOf(expected)))
    throw new Deviation(rule, operationOf(step), `finds other rows by ${by}, or in another order`);
  await comparePages(context, step, found);
}

export const idsOf = (rows: readonly Values[]): readonly unknown[] => rows.map(({ id }) => id);

/** The first page over other protocols equals the first page over REST. `callsOf`: how they are asked for it. */
export async function comparePages(
  context: MoveContext,
  step: Step,
  { rows }: Reading,
  callsOf?: (page: Step) => readonly ComparedCall[],
): Promise<void> {
  const limit = Math.min(10, listOf(step.resource).maximumLimit);
  const page = { ...step, query: { ...step.query, limit } };
  await compareValues(context, page, { data: rows.slice(0, limit) }, callsOf?.(page));
}

/** What REST returns by a step, other protocols return as well. */
export async function compareValues(
  { client }: MoveContext,
  step: Step,
  value: unknown,
  calls = client.calls(step),
): Promise<void> {
  for (const call of calls) {
    const actual = answered(step, await client.over(call, step));
    const expected = call.expected(value);
    if (isDeepStrictEqual(actual, expected)) continue;
    const [one, other] = [actual, expected].map((some) => JSON.stringify(some).slice(0, MAX_TEXT));
    throw new Deviation('parity', call.subject, `returns ${one} where ${operationOf(step)} returns ${other}`);
  }
}

/** What is compared of an answer: of a list its entries alone. */
function answered({ action }: Step, outcome: Outcome): unknown {
  if (outcome.kind !== 'data') return outcome;
  return action === 'list' ? { data: (outcome.value as { readonly data: unknown }).data } : outcome.value;
}

const MAX_TEXT = 400;
