import { randomUUID } from 'node:crypto';
import { type SampleRequest, sampleRequests } from '../../../compiler/emit/sample-requests.ts';
import type { ContractModel } from '../../../compiler/model/model.ts';
import type { ErrorDescriptor } from '../../../descriptor/error.ts';
import { serve } from '../../testing/serve.ts';
import type { TestCaller, TestReply, TestRequest } from '../../testing/test-caller.ts';
import { sampleOf } from './samples/sample.ts';

/** A problem as it is answered (RFC 9457). */
interface Problem {
  readonly code: string;
  readonly [member: string]: unknown;
}

/** The problem that an operation answers with a code. */
export type ProblemOf = (operationId: string, error: ErrorDescriptor) => Problem;

/** What no media type is called. */
const NO_TYPE = 'text/x-none';
const REQUEST_ID = '0af7651916cd43dd8448eb211c80319c';

/**
 * What operations answer to what is wrong with a request, by a server of the contract in this process, on an empty database.
 * Codes that a request alone cannot provoke are answered by what the catalogue says of them.
 */
export async function recordedErrors(model: ContractModel): Promise<ProblemOf> {
  const byOperation = new Map<string, Problem>();
  const byCode = new Map<string, Problem>();
  await using service = await serve({ contract: model, allowMissing: true });
  const scopes = model.operations.flatMap(({ access }) =>
    access.anyOf.flatMap(({ schemes }) => schemes.flatMap((scheme) => scheme.scopes)),
  );
  const callers: Callers = {
    nobody: service.anonymous,
    weak: service.as({ sub: randomUUID() }),
    strong: service.as({ sub: randomUUID(), scope: [...new Set(scopes)].join(' ') }),
  };
  for (const request of sampleRequests(model))
    for (const reply of await provoked(request, callers)) {
      const problem = problemIn(reply);
      if (!problem) continue;
      const key = `${request.operationId} ${problem.code}`;
      if (!byOperation.has(key)) byOperation.set(key, problem);
      if (!byCode.has(problem.code)) byCode.set(problem.code, problem);
    }
  const paths = new Map(model.operations.map(({ operationId, path }) => [operationId, path]));
  return (operationId, { code, status, title, description }) => {
    const known = byOperation.get(`${operationId} ${code}`);
    if (known) return known;
    const instance = paths.get(operationId) ?? '/';
    const detail = byCode.get(code)?.['detail'] ?? firstSentence(description);
    return { type: `/errors/${code}`, title, status, detail, instance, code, requestId: REQUEST_ID };
  };
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

/** The words of a description up to the end of its first sentence. */
const firstSentence = (text: string): string =>
  /^[\s\S]*?[.!](?=\s|$)/.exec(text.trim())?.[0].replace(/\s+/g, ' ') ?? text;
