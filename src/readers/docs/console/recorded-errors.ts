import { type SampleRequest, sampleRequests } from '../../../compiler/emit/index.ts';
import type { ContractModel } from '../../../compiler/model/index.ts';
import { basePathOf } from '../../../descriptor/base-path.ts';
import type { ErrorDescriptor } from '../../../descriptor/error.ts';
import { operationsOf, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import { serve, type TestCaller, type TestReply, type TestRequest } from '../../../proving/testing/index.ts';
import { isLarge } from '../layout/large.ts';
import { firstSentence } from '../layout/markdown.ts';
import { sampleOf } from '../samples/sample.ts';

/** A problem as it is answered (RFC 9457). */
interface Problem {
  readonly code: string;
  readonly [member: string]: unknown;
}

/** The problem that an operation answers with a code; without an operation, an example of any. */
export type ProblemOf = (operationId: string | undefined, error: ErrorDescriptor) => Problem;

/** What no media type is called. */
const NO_TYPE = 'text/x-none';
/** The same in each build. */
const CALLERS = ['01941f29-7c00-7000-8000-000000000001', '01941f29-7c00-7000-8000-000000000002'] as const;
const REQUEST_ID = '0af7651916cd43dd8448eb211c80319c';

/**
 * What operations answer to what is wrong with a request, by a server of the contract in this process, on an empty database.
 * Codes that a request alone cannot provoke are answered by what the catalogue says of them.
 */
export async function recordedErrors(model: ContractModel): Promise<ProblemOf> {
  const byOperation = new Map<string, Problem>();
  const byCode = new Map<string, Problem>();
  const asked = askedOf(model);
  await using service = await serve({ contract: servedFor(model, asked), allowMissing: true });
  const scopes = model.operations.flatMap(({ access }) =>
    access.anyOf.flatMap(({ schemes }) => schemes.flatMap((scheme) => scheme.scopes)),
  );
  const callers: Callers = {
    nobody: service.anonymous,
    weak: service.as({ sub: CALLERS[0] }),
    strong: service.as({ sub: CALLERS[1], scope: [...new Set(scopes)].join(' ') }),
  };
  const requests = sampleRequests(model);
  for (const request of requests.filter(({ operationId }) => asked.has(operationId)))
    for (const reply of await provoked(request, callers)) {
      const problem = problemIn(reply);
      if (!problem) continue;
      const key = `${request.operationId} ${problem.code}`;
      if (!byOperation.has(key)) byOperation.set(key, problem);
      if (!byCode.has(problem.code)) byCode.set(problem.code, problem);
    }
  const base = basePathOf(model.document);
  const paths = new Map(requests.map((one) => [one.operationId, sampleOf(one, base).url.split('?')[0]!]));
  const first = (code: string): string =>
    model.operations.find(({ errorCodes }) => errorCodes.includes(code))?.operationId ?? '';
  return (operationId, { code, status, title, description }) => {
    const known = operationId === undefined ? byCode.get(code) : byOperation.get(`${operationId} ${code}`);
    if (known) return known;
    const instance = paths.get(operationId ?? first(code)) ?? '/';
    const detail = byCode.get(code)?.['detail'] ?? firstSentence(description);
    return { type: `/errors/${code}`, title, status, detail, instance, code, requestId: REQUEST_ID };
  };
}

/** What a server of these operations needs: their resources, and those that these name. GraphQL is not asked. */
function servedFor({ graphql: _, versions: __, ...model }: ContractModel, asked: ReadonlySet<string>): ContractModel {
  const operations = model.operations.filter(({ operationId }) => asked.has(operationId));
  const isAsked = (resource: ResourceDescriptor): boolean =>
    operationsOf(resource).some(({ operationId }) => asked.has(operationId));
  const needed = new Set(model.resources.filter(isAsked));
  // What is added is gone through, too.
  for (const one of needed) {
    const text = JSON.stringify(one);
    for (const other of model.resources) if (text.includes(JSON.stringify(other.key))) needed.add(other);
  }
  return { ...model, operations, resources: model.resources.filter((one) => needed.has(one)) };
}

/** How many operations are asked for an example of a code where there are many. */
const MAX_ASKED = 4;
/** The operations that are asked: all, or enough that each code is among their answers. */
function askedOf({ operations, errors }: ContractModel): ReadonlySet<string> {
  const ids = operations.map(({ operationId }) => operationId);
  if (!isLarge({ operations })) return new Set(ids);
  const withCode = (code: string) => operations.filter(({ errorCodes }) => errorCodes.includes(code));
  return new Set(
    Object.keys(errors).flatMap((code) =>
      withCode(code)
        .slice(0, MAX_ASKED)
        .map(({ operationId }) => operationId),
    ),
  );
}

interface Callers {
  readonly nobody: TestCaller;
  /** Has a token without scopes. */
  readonly weak: TestCaller;
  /** Has every scope. */
  readonly strong: TestCaller;
}

/** Answers to requests each of which is wrong in one way. */
async function provoked(request: SampleRequest, { nobody, weak, strong }: Callers): Promise<readonly TestReply[]> {
  const { method, url, body, headers } = sampleOf(request, '');
  const own = { headers: Object.fromEntries(headers), ...(body && { body: body.text }) };
  const send = (caller: TestCaller, changed: TestRequest = {}) =>
    caller.request(method, url, { ...own, ...changed, headers: { ...own.headers, ...changed.headers } });
  const withBody = body
    ? [
        send(strong, { body: '{}' }),
        send(strong, { body: '{' }),
        send(strong, { headers: { 'content-type': NO_TYPE } }),
      ]
    : [];
  const unknown = url.includes('?') ? `${url}&unknown=1` : `${url}?unknown=1`;
  return Promise.all([
    ...(request.needsToken ? [send(nobody), send(weak)] : []),
    strong.request(method, invalidUrl(request, url), own),
    ...withBody,
    strong.request(method, unknown, own),
    send(strong, { headers: { accept: NO_TYPE } }),
    ...(method === 'GET' || method === 'DELETE' ? [send(strong)] : []),
  ]);
}

/** Asks for a page that is too large, where there are pages. */
const invalidUrl = ({ inQuery }: SampleRequest, url: string): string =>
  inQuery.some(({ name }) => name === 'limit') ? `${url.split('?')[0]}?limit=0` : url;

function problemIn({ status, body }: TestReply): Problem | undefined {
  if (status < 400 || typeof body !== 'object' || body === null || !('code' in body)) return undefined;
  return { ...(body as Problem), requestId: REQUEST_ID };
}
