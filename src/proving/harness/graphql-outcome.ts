import type { Translators } from '../../compiler/graphql/fields/index.ts';
import { pointerTokens } from '../../descriptor/json-pointer.ts';
import { BACKWARD } from '../../runtime/engine/lists/index.ts';
import type { Route } from './graphql-requests.ts';
import { argumentOfParameter } from './list-arguments.ts';
import type { WireReply } from './request.ts';
import type { Outcome, ReportedError, Step } from './step.ts';

// biome-ignore lint/suspicious/noExplicitAny: a server may answer anything
type Json = any;

/** The outcome of a GraphQL request by a route. */
export function graphqlOutcome(
  step: Pick<Step, 'action' | 'query' | 'resource' | 'mayBeNull'>,
  { fields }: Route,
  reply: WireReply,
): Outcome {
  const path = fields.map(({ name }) => name);
  const malformed = (why: string): Outcome => ({ kind: 'malformed', text: `${why}: ${reply.status} ${reply.text}` });
  const { json } = reply;
  if (typeof json !== 'object' || json === null) return malformed('the body is not JSON');
  if (json.errors) return refusal(json, reply, path, malformed);
  const value = path.reduce((at: Json, name) => at?.[name], json.data);
  if (value === undefined || (value === null && !step.mayBeNull)) return malformed('neither data nor errors');
  return step.action === 'list' ? page(value, step, malformed) : { kind: 'data', value };
}

function refusal(
  json: Json,
  { status }: WireReply,
  path: readonly string[],
  malformed: (why: string) => Outcome,
): Outcome {
  const [error] = json.errors;
  const { code, status: declared, errors, requestId } = error?.extensions ?? {};
  if (typeof code !== 'string' || typeof declared !== 'number') return malformed('an error without code and status');
  if (typeof requestId !== 'string') return malformed('an error without a request id');
  const isEarly = !('data' in json);
  if (!isEarly && status !== 200) return malformed('executed, but not 200');
  const at: readonly unknown[] = error.path ?? [];
  const isOnPath = at.length <= path.length && at.every((name, i) => name === path[i]);
  if (!isEarly && (at.length === 0 || !isOnPath)) return malformed('an error at another path');
  return {
    kind: 'error',
    code,
    status: declared,
    message: error.message,
    errors: errors as readonly ReportedError[] | undefined,
    isEarly,
  };
}

/** A connection in the shape of REST's page, once nodes, edges and `pageInfo` have been found consistent. */
function page(
  value: Json,
  { query = {}, resource }: Pick<Step, 'query' | 'resource'>,
  malformed: (why: string) => Outcome,
): Outcome {
  const { nodes, edges, pageInfo, totalCount, totalCountIsExact } = value;
  const { hasNextPage, hasPreviousPage, startCursor, endCursor } = pageInfo;
  // Edges are left out where the page would cost too much with them.
  if (edges !== undefined) {
    const cursors = edges.map(({ cursor }: Json) => cursor);
    const isOf = ({ node }: Json, i: number): boolean => node === undefined || node.id === nodes[i].id;
    if (edges.length !== nodes.length || !edges.every(isOf)) return malformed('edges and nodes differ');
    if (startCursor !== (cursors[0] ?? null)) return malformed('startCursor is not the first cursor');
    if (endCursor !== (cursors.at(-1) ?? null)) return malformed('endCursor is not the last cursor');
  }
  const cursor = query['cursor'] as string | undefined;
  if (!cursor?.startsWith(BACKWARD) && hasPreviousPage !== (cursor !== undefined))
    return malformed('hasPreviousPage does not match the cursor');
  const before = hasPreviousPage ? `${BACKWARD}${startCursor ?? ''}` : null;
  const following = {
    ...(resource.list?.pagesBack && { previousCursor: before }),
    nextCursor: hasNextPage ? endCursor : null,
  };
  const counted = {
    ...(totalCount !== undefined && { totalCount }),
    ...(totalCountIsExact !== undefined && { totalCountIsExact }),
  };
  return {
    kind: 'data',
    value: { data: nodes, page: { ...following, ...counted } },
  };
}

/** The path into the arguments of a route where an error is due that REST reports with a code. */
export function argumentOf(
  { header, parameter, pointer = '' }: ReportedError,
  code: string,
  { input, query = {}, resource }: Step,
  { fields }: Route,
  translators: Translators,
): string {
  const { field, input: type } = fields.at(-1)!;
  if (header !== undefined) return 'ifVersion';
  if (parameter === undefined)
    return ['input', ...translators.inputs.path(type, input, pointerTokens(pointer))].join('.');
  const [base, ...inside] = parameter.split(/[[\]]+/).filter((part) => part !== '');
  for (const { params } of fields) {
    const argument = Object.keys(params).find((name) => params[name] === base);
    if (argument !== undefined) return [argument, ...inside].join('.');
  }
  return argumentOfParameter(parameter, { query, isOfProperty: code === 'FORBIDDEN' }, resource, field, translators);
}
