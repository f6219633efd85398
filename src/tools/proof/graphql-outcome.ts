import type { WireReply } from './request.ts';
import type { Fault, Outcome, Step } from './step.ts';

// biome-ignore lint/suspicious/noExplicitAny: whatever a server answers
type Json = any;

/** What GraphQL answered for the fields on `path`, the last of which stands for the action. */
export function graphqlOutcome(
  step: Pick<Step, 'action' | 'query'>,
  path: readonly string[],
  reply: WireReply,
): Outcome {
  const nonsense = (why: string): Outcome => ({ kind: 'nonsense', text: `${why}: ${reply.status} ${reply.text}` });
  const { json } = reply;
  if (typeof json !== 'object' || json === null) return nonsense('no JSON');
  if (json.errors) return refusal(json, reply, path, nonsense);
  const value = path.reduce((at: Json, name) => at?.[name], json.data);
  if (value === undefined || value === null) return nonsense('neither data nor errors');
  return step.action === 'list' ? page(value, step.query ?? {}, nonsense) : { kind: 'data', value };
}

function refusal(
  json: Json,
  { status }: WireReply,
  path: readonly string[],
  nonsense: (why: string) => Outcome,
): Outcome {
  const [error] = json.errors;
  const { code, status: told, errors, requestId } = error?.extensions ?? {};
  if (typeof code !== 'string' || typeof told !== 'number') return nonsense('an error without code and status');
  if (typeof requestId !== 'string') return nonsense('an error without a request id');
  const isEarly = !('data' in json);
  if (!isEarly && status !== 200) return nonsense('executed, but not 200');
  const at: readonly unknown[] = error.path ?? [];
  const isOnPath = at.length <= path.length && at.every((name, i) => name === path[i]);
  if (!isEarly && (at.length === 0 || !isOnPath)) return nonsense('an error at another path');
  return {
    kind: 'error',
    code,
    status: told,
    message: error.message,
    faults: errors as readonly Fault[] | undefined,
    isEarly,
  };
}

/** A connection as REST answers a page, when all its parts tell of the same page. */
function page(value: Json, query: NonNullable<Step['query']>, nonsense: (why: string) => Outcome): Outcome {
  const { nodes, edges, pageInfo, totalCount } = value;
  const cursors = edges.map(({ cursor }: Json) => cursor);
  const isSame = edges.length === nodes.length && edges.every(({ node }: Json, i: number) => node.id === nodes[i].id);
  if (!isSame) return nonsense('edges and nodes differ');
  const { hasNextPage, hasPreviousPage, startCursor, endCursor } = pageInfo;
  if (startCursor !== (cursors[0] ?? null)) return nonsense('startCursor is not the first cursor');
  if (endCursor !== (cursors.at(-1) ?? null)) return nonsense('endCursor is not the last cursor');
  if (hasPreviousPage !== (query['cursor'] !== undefined)) return nonsense('hasPreviousPage');
  const following = { nextCursor: hasNextPage ? endCursor : null };
  return {
    kind: 'data',
    value: { data: nodes, page: { ...following, ...(totalCount !== undefined && { totalCount }) } },
  };
}
