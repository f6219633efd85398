import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { sampleRequests } from '../../../src/compiler/emit/sample-requests.ts';
import type { ContractModel } from '../../../src/compiler/model/model.ts';
import { graphqlExamples } from '../../../src/readers/docs/samples/graphql-operations.ts';
import { sampleOf } from '../../../src/readers/docs/samples/sample.ts';
import { freePort } from '../../../src/tools/free-port.ts';
import { Command } from '../../support/command.ts';

/** What says that a request itself is wrong, whatever there is. */
const MALFORMED = [400, 401, 403, 405, 406, 415];

const { model } = (await modelContract('contracts')) as { model: ContractModel };

describe('the requests made from the examples of a contract', () => {
  let mock: Command;
  let origin: string;
  let authorization: string;
  beforeAll(async () => {
    const port = await freePort();
    mock = new Command('scripts/mock.ts', ['--rows', '6'], { PORT: String(port), LOG_LEVEL: 'warn' });
    const output = await mock.output(/Ctrl-C/);
    authorization = `Bearer ${[...output.matchAll(/^ {2}[A-Z]+=(\S+)$/gm)].at(-1)![1]!}`;
    origin = `http://127.0.0.1:${port}`;
  });
  afterAll(async () => void (await mock.stop()));

  test('are well-formed, and read rows of the mock', async () => {
    const requests = sampleRequests(model).toSorted((a, b) => +(a.method === 'DELETE') - +(b.method === 'DELETE'));
    for (const request of requests) {
      const { method, url, headers, body } = sampleOf(request, `${origin}/v1`);
      const sent = { method, headers: { authorization, ...Object.fromEntries(headers) } };
      const response = await fetch(url, { ...sent, ...(body && { body: body.text }) });
      const answer = `${request.operationId}: ${response.status} ${await response.text()}`;
      expect(MALFORMED, answer).not.toContain(response.status);
      if (method === 'GET') expect(response.status, answer).toBe(200);
    }
  });

  test('are well-formed over GraphQL, too', async () => {
    const examples = graphqlExamples(model, model.graphql!);
    for (const { kind, document, variables } of examples.roots.map((root) => examples.operation(root))) {
      if (kind === 'subscription') continue;
      const headers = { authorization, 'content-type': 'application/json' };
      const body = JSON.stringify({ query: document, variables });
      const response = await fetch(`${origin}/graphql`, { method: 'POST', headers, body });
      const { errors = [] } = (await response.json()) as { errors?: { extensions: { status: number } }[] };
      expect(response.status, document).toBe(200);
      for (const { extensions } of errors) expect(MALFORMED, document).not.toContain(extensions.status);
    }
  });
});
