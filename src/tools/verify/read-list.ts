import { isDeepStrictEqual } from 'node:util';
import { routeName } from '../harness/graphql-requests.ts';
import type { Step } from '../harness/step.ts';
import { operationOf } from '../harness/step.ts';
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
  const subject = operationOf(step);
  const rows: Values[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { ...step.query, limit, ...(cursor && { cursor }) };
    const { outcome, reply } = await client.rest({ ...step, query });
    if (outcome.kind !== 'data') {
      if (page > 0)
        throw new Deviation('paging', subject, `${subject} answers ${reply.status} to a cursor that it issued`);
      return undefined;
    }
    const { data, page: info } = outcome.value as { data: Values[]; page: { nextCursor?: string | null } };
    if (data.length > limit)
      throw new Deviation('paging', subject, `${subject} returns ${data.length} entries; the limit was ${limit}`);
    rows.push(...data);
    cursor = info.nextCursor;
    if (!cursor) return { rows, isWhole: true };
    if (data.length === 0) throw new Deviation('paging', subject, `${subject} returns an empty page with a cursor`);
  }
  return { rows, isWhole: false };
}

/** The first page over GraphQL equals the first page over REST. */
export async function compareProtocols(
  { client }: MoveContext,
  step: Step,
  { rows }: Reading,
  route = client.route(step.resource, 'list'),
): Promise<void> {
  if (!route) return;
  const limit = Math.min(10, step.resource.list!.maximumLimit);
  const outcome = await client.graphql({ ...step, query: { ...step.query, limit } }, route);
  const name = routeName(route);
  const expected = client.protocols.graphql!.expected(route, 'list', { data: rows.slice(0, limit) }) as Listed;
  const actual = outcome.kind === 'data' ? (outcome.value as Listed).data : outcome;
  if (!isDeepStrictEqual(actual, expected.data))
    throw new Deviation(
      'parity',
      name,
      `${name} and ${operationOf(step)} list different rows: ${JSON.stringify(actual).slice(0, 300)} and ${JSON.stringify(expected.data).slice(0, 300)}`,
    );
}

interface Listed {
  readonly data: readonly unknown[];
}
