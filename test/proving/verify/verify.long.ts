import { describe, expect, it } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { callersOfTokens } from '../../../src/proving/verify/callers.ts';
import { type VerifyReport, verify } from '../../../src/proving/verify/verify.ts';
import { filteredPayroll } from '../../support/filtered-payroll.ts';
import type { Service } from '../../support/service.ts';
import { oneIn } from '../../support/thorough.ts';
import {
  fixture,
  repeatableCallers,
  repeatableService,
  UNSEEN_CONTRACTS,
  verificationOf,
} from '../../support/unseen-contracts.ts';

const [STOREFRONT, CATS, INVOICES, FOLDERS] = UNSEEN_CONTRACTS as [Unseen, Unseen, Unseen, Unseen];
type Unseen = (typeof UNSEEN_CONTRACTS)[number];

interface Asked {
  readonly method: string;
  /** With its query. */
  url: string;
  headers: Record<string, string>;
  readonly body: string | undefined;
}

interface Answered {
  status: number;
  headers: Record<string, string>;
  text: string;
}

interface Tokens {
  readonly owner: string;
  readonly other: string;
}

/** What a faulty server does to a request before it looks at it, or to an answer before it sends it. */
interface Fault {
  before?(asked: Asked, tokens: Tokens): void;
  after?(answered: Answered, asked: Asked): void;
}

/** A server in this process, as far as `fetch` can tell. */
function fetchOf(service: Service, fault: Fault, tokens: Tokens): typeof fetch {
  return async (input, init = {}) => {
    const { pathname, search } = new URL(String(input));
    const asked: Asked = {
      method: init.method ?? 'GET',
      url: pathname + search,
      headers: Object.fromEntries(new Headers(init.headers)),
      body: init.body as string | undefined,
    };
    fault.before?.(asked, tokens);
    const { status, text, headers } = await service.request(asked.method, asked.url, {
      headers: asked.headers,
      ...(asked.body !== undefined && { body: asked.body }),
    });
    const answered: Answered = { status, text, headers: headers as Record<string, string> };
    fault.after?.(answered, asked);
    const hasBody = ![204, 304].includes(answered.status);
    const { 'content-length': _, ...kept } = answered.headers;
    return new Response(hasBody ? answered.text : null, { status: answered.status, headers: kept });
  };
}

const json = (answered: Answered, change: (value: never) => unknown): void => {
  answered.text = JSON.stringify(change(JSON.parse(answered.text) as never));
};
const isOne = ({ method, url }: Asked): boolean => method === 'GET' && /\/[\da-f-]{36}$/.test(url);
const isList = ({ method, url }: Asked): boolean => method === 'GET' && /\/[a-z]+(?:\?|$)/.test(url);

/** A problem as a tool answers it. */
const FAILED = JSON.stringify({ status: 500, code: 'INTERNAL_ERROR', title: 'Internal error', requestId: 'a' });

const FAULTS: readonly (readonly [what: string, rules: readonly string[], fault: Fault])[] = [
  [
    'answers a creation with 200',
    ['status'],
    {
      after: (answered, { method }) => {
        if (method === 'POST' && answered.status === 201) answered.status = 200;
      },
    },
  ],
  [
    'adds a property',
    ['body'],
    {
      after: (answered, asked) =>
        void (isOne(asked) && answered.status === 200 && json(answered, (row: object) => ({ ...row, secret: 1 }))),
    },
  ],
  [
    'leaves a property out',
    ['body'],
    {
      after: (answered, asked) =>
        void (
          isOne(asked) &&
          answered.status === 200 &&
          json(answered, ({ createdAt: _, ...row }: { createdAt: string }) => row)
        ),
    },
  ],
  [
    'finds what is not there',
    ['missing', 'body'],
    {
      after: (answered, asked) => {
        if (!isOne(asked) || answered.status !== 404) return;
        const id = asked.url.split('/').at(-1)!;
        Object.assign(answered, { status: 200, headers: { 'content-type': 'application/json', etag: '"1"' } });
        const moment = '2026-01-01T00:00:00.000Z';
        answered.text = JSON.stringify({ id, version: 1, createdAt: moment, updatedAt: moment });
      },
    },
  ],
  [
    'answers 500 to odd requests',
    ['status'],
    {
      after: (answered, { url }) =>
        void (url.includes('no-such-') && Object.assign(answered, { status: 500, text: '{}' })),
    },
  ],
  [
    'takes any parameter',
    ['validation'],
    {
      before: (asked) => {
        asked.url = asked.url.replace(/[?&]no-such-parameter=x/, '');
      },
    },
  ],
  [
    'lists in another order',
    ['order', 'paging', 'parity'],
    {
      after: (answered, asked) =>
        void (
          isList(asked) &&
          asked.url.includes('sort=') &&
          answered.status === 200 &&
          json(answered, (page: { data: object[] }) => ({ ...page, data: page.data.toReversed() }))
        ),
    },
  ],
  [
    'forgets the cursor',
    ['paging'],
    {
      before: (asked) => {
        asked.url = asked.url.replace(/[?&]cursor=(?!no-such)[^&]*/, '');
      },
    },
  ],
  [
    'skips a row between pages',
    ['paging'],
    {
      after: (answered, asked) =>
        void (
          isList(asked) &&
          asked.url.includes('cursor=') &&
          answered.status === 200 &&
          json(answered, (page: { data: object[] }) => ({ ...page, data: page.data.slice(1) }))
        ),
    },
  ],
  [
    'answers more than was asked for',
    ['paging'],
    {
      before: (asked) =>
        void (isList(asked) && Object.assign(asked, { url: asked.url.replace(/limit=[1-3]\b/, 'limit=9') })),
    },
  ],
  [
    'shows a row to another',
    ['leak'],
    {
      before: (asked, { owner, other }) =>
        void (
          isOne(asked) &&
          asked.headers['authorization'] === `Bearer ${other}` &&
          Object.assign(asked.headers, { authorization: `Bearer ${owner}` })
        ),
    },
  ],
  [
    'lists rows to another',
    ['leak', 'parity'],
    {
      before: (asked, { owner, other }) =>
        void (
          isList(asked) &&
          asked.headers['authorization'] === `Bearer ${other}` &&
          Object.assign(asked.headers, { authorization: `Bearer ${owner}` })
        ),
    },
  ],
  [
    'lets anybody in',
    ['access'],
    {
      before: (asked, { owner }) =>
        void Object.assign(asked.headers, { authorization: `Bearer ${owner}`, ...asked.headers }),
    },
  ],
  [
    'says something else over GraphQL',
    ['parity'],
    {
      after: (answered, { url }) =>
        void (
          url === '/graphql' &&
          Object.assign(answered, { text: answered.text.replaceAll('"version":1', '"version":2') })
        ),
    },
  ],
  [
    'lists something else over GraphQL',
    ['parity', 'graphql'],
    {
      after: (answered, { url, body }) =>
        void (
          url === '/graphql' &&
          body?.includes('nodes') &&
          json(answered, (answer: { data: Record<string, { nodes: object[]; edges: object[] }> }) => {
            for (const page of Object.values(answer.data ?? {}))
              if (page?.nodes) Object.assign(page, { nodes: page.nodes.slice(1), edges: page.edges.slice(1) });
            return answer;
          })
        ),
    },
  ],
  [
    'says something else over MCP',
    ['parity'],
    {
      after: (answered, { url }) =>
        void (
          url === '/mcp' &&
          Object.assign(answered, { text: answered.text.replaceAll('\\"version\\":1', '\\"version\\":2') })
        ),
    },
  ],
  [
    'shows agents the rows of others',
    ['leak', 'parity'],
    {
      before: ({ url, headers }, { owner, other }) =>
        void (
          url === '/mcp' &&
          headers['authorization'] === `Bearer ${other}` &&
          Object.assign(headers, { authorization: `Bearer ${owner}` })
        ),
    },
  ],
  [
    'shows anybody all tools',
    ['access'],
    {
      before: ({ body, headers }, { owner }) =>
        void (body?.includes('tools/list') && Object.assign(headers, { authorization: `Bearer ${owner}` })),
    },
  ],
  [
    'shows nobody some tools',
    ['access'],
    {
      after: (answered, { body }) =>
        void (
          body?.includes('tools/list') &&
          json(answered, ({ result, ...rest }: { result: { tools: object[] } }) => ({
            ...rest,
            result: { tools: result.tools.slice(1) },
          }))
        ),
    },
  ],
  [
    'answers agents without a message',
    ['mcp'],
    {
      after: (answered, { url }) =>
        void (url === '/mcp' && json(answered, ({ jsonrpc: _, ...rest }: { jsonrpc?: string }) => rest)),
    },
  ],
  [
    'fails for agents alone',
    ['status'],
    {
      after: (answered, { body }) =>
        void (
          body?.includes('"createProduct"') &&
          json(answered, (message: object) => ({
            ...message,
            result: { isError: true, content: [{ type: 'text', text: FAILED }] },
          }))
        ),
    },
  ],
  [
    'ignores If-Match',
    ['conditional'],
    {
      before: ({ headers }) => {
        delete headers['if-match'];
      },
    },
  ],
  [
    'ignores If-None-Match',
    ['conditional'],
    {
      before: ({ headers }) => {
        delete headers['if-none-match'];
      },
    },
  ],
  [
    'has wrong entity tags',
    ['etag'],
    { after: ({ headers }) => void ('etag' in headers && Object.assign(headers, { etag: '"9"' })) },
  ],
  [
    'has no Location',
    ['location'],
    {
      after: ({ headers }) => {
        delete headers['location'];
      },
    },
  ],
  [
    'keeps what it has deleted',
    ['missing'],
    {
      before: (asked) => {
        if (asked.method === 'DELETE')
          Object.assign(asked, { method: 'GET', headers: { ...asked.headers, 'x-kept': 'yes' } });
      },
      after: (answered, { headers }) => {
        if ('x-kept' in headers && answered.status === 200)
          Object.assign(answered, { status: 204, text: '', headers: {} });
      },
    },
  ],
  [
    'answers a code that the contract lacks',
    ['error', 'body'],
    {
      after: (answered) =>
        void (
          answered.status === 404 && Object.assign(answered, { text: answered.text.replaceAll('NOT_FOUND', 'NOWHERE') })
        ),
    },
  ],
  [
    'answers a code with another status',
    ['error', 'body', 'status'],
    {
      after: (answered) =>
        void (
          answered.status === 400 &&
          Object.assign(answered, { text: answered.text.replaceAll('VALIDATION_FAILED', 'NOT_FOUND') })
        ),
    },
  ],
];

/** A contract whose filters combine conditions on rows that anyone may read. */
const FILTERED: Unseen = {
  name: 'the payroll with filters',
  handlers: {},
  compiled: () => filteredPayroll([], async (folder) => (await modelContract(folder)).model!),
};

/** Lets verify loose on a server of its own, which is the same for the same seed, with a fault. */
async function run(
  fault: Fault,
  { seed = 1, runs = 30, maxFindings = 1, of = STOREFRONT } = {},
): Promise<VerifyReport & { readonly tokens: Tokens }> {
  const service = await repeatableService(of);
  const { contract } = service;
  const callers = repeatableCallers(contract);
  const tokens = { owner: callers.owner.authorization!.slice(7), other: callers.other!.authorization!.slice(7) };
  const fetch = fetchOf(service, fault, tokens);
  const report = await verify({ contract, origin: 'http://server', callers, seed, runs, maxFindings, fetch });
  await service.close();
  return { ...report, tokens };
}

describe('verify', () => {
  it('finds nothing in a server that keeps its contract', async () => {
    const report = await run({}, { seed: 7, runs: 40 });
    expect(report.findings).toEqual([]);
    expect(report.requests).toBeGreaterThan(400);
  });

  it('finds nothing in a server of every convention', async () => {
    const { findings } = await verificationOf(fixture('library'), 5, 25);
    expect(findings).toEqual([]);
  });

  it('finds nothing in a server with ids of every kind', async () => {
    const { findings } = await verificationOf(fixture('atlas'), 5, 25);
    expect(findings).toEqual([]);
  });

  it.each(oneIn(3, FAULTS))('finds a server that %s', async (_what, rules, fault) => {
    const { findings, tokens } = await run(fault);
    expect(findings.map(({ rule }) => rule).filter((rule) => rules.includes(rule))).not.toEqual([]);
    const [{ curl, message }] = findings as [(typeof findings)[number]];
    expect(message).not.toBe('');
    expect(curl.at(-1)).toMatch(/^curl -X [A-Z]+ 'http:\/\/server\//);
    expect(curl.join('\n')).not.toContain(tokens.owner);
  });

  it('finds a server that takes the negation of a condition for the condition', async () => {
    const fault: Fault = {
      before: (asked) => {
        asked.url = asked.url.replace(/(?<=[?&]filter=)%7B%22not%22%3A(.*?)%7D(?=&|$)/, '$1');
      },
    };
    const { findings } = await run(fault, { of: FILTERED });
    expect(findings.map(({ rule }) => rule)).toEqual(['filter']);
    expect((await run({}, { of: FILTERED })).findings).toEqual([]);
  });

  it('reduces what it finds to the fewest requests, the last of which fails', async () => {
    const { findings } = await run({
      after: (answered, asked) =>
        void (isOne(asked) && answered.status === 200 && json(answered, (row: object) => ({ ...row, secret: 1 }))),
    });
    for (const { curl } of findings) {
      expect(curl.length).toBeLessThanOrEqual(10);
      expect(curl.at(-1)).toContain('curl -X GET');
    }
  });

  it('finds several faults at once, and sends the same requests for the same seed', async () => {
    const both: Fault = {
      before: ({ headers }) => {
        delete headers['if-none-match'];
        delete headers['if-match'];
      },
    };
    const first = await run(both, { seed: 3, runs: 20, maxFindings: 3 });
    expect(new Set(first.findings.map(({ rule, subject }) => `${rule} ${subject}`)).size).toBeGreaterThan(1);
    expect(await run(both, { seed: 3, runs: 20, maxFindings: 3 })).toEqual(first);
    expect(await verificationOf(CATS, 4, 10)).not.toEqual(await verificationOf(CATS, 5, 10));
  });

  it('comes back when a server asks it to', async () => {
    let count = 0;
    const busy: Fault = {
      before: (asked) => {
        count += 1;
        if (count % 3 === 0) asked.url = '/busy';
      },
      after: (answered, { url }) => {
        const headers = { 'content-type': 'application/problem+json', 'retry-after': '0' };
        if (url === '/busy') Object.assign(answered, { status: 429, headers, text: '{}' });
      },
    };
    const { findings } = await run(busy, { seed: 2, runs: 5, of: CATS });
    expect(findings).toEqual([]);
  });

  it('says once that a server does not take the key of its tokens', async () => {
    const service = await repeatableService(FOLDERS);
    const { contract } = service;
    const callers = repeatableCallers(contract, 'another secret than that of the server, as long as it must be');
    const fetch = fetchOf(service, {}, { owner: '', other: '' });
    const { findings, requests } = await verify({
      contract,
      origin: 'http://server',
      callers,
      seed: 1,
      runs: 20,
      fetch,
    });
    expect(findings).toMatchObject([{ rule: 'credentials', message: expect.stringContaining('JWT_SECRET') }]);
    expect(requests).toBeLessThan(5);
    await service.close();
  });

  it('does not take the scope that lifts an owner rule for one that any caller has', async () => {
    const service = await repeatableService(INVOICES);
    const { contract } = service;
    const { staff, owner } = repeatableCallers(contract);
    const tokenOf = (caller: typeof staff) => caller!.authorization!.slice('Bearer '.length);
    const callers = callersOfTokens(tokenOf(owner), tokenOf(staff));
    const fetch = fetchOf(service, {}, { owner: '', other: '' });
    const tried: number[] = [];
    const onSequence = (count: number): void => void tried.push(count);
    const told = { fetch, onSequence };
    const { findings } = await verify({ contract, origin: 'http://server', callers, seed: 2, runs: 20, ...told });
    expect(findings).toEqual([]);
    expect(tried).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    await service.close();
  });

  it('follows a deletion to the rows that go with it', async () => {
    const requests: string[] = [];
    const note: Fault = { before: ({ method, url }) => void requests.push(`${method} ${url}`) };
    const { findings } = await run(note, { seed: 11, runs: 40, of: FOLDERS });
    expect(findings).toEqual([]);
    expect(requests.filter((line) => line.startsWith('DELETE /v1/folders/')).length).toBeGreaterThan(10);
  });
});
