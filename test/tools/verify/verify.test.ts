import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handlers } from '../../../src/handlers/index.ts';
import { secretKeys } from '../../../src/runtime/auth/keys.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { signedCallers } from '../../../src/tools/verify/callers.ts';
import { type VerifyReport, verify } from '../../../src/tools/verify/verify.ts';
import { databases } from '../../support/databases.ts';
import { type Service, startService } from '../../support/service.ts';

const OWNER = '01941f29-7c00-7a10-8c57-00000000000a';
const OTHER = '01941f29-7c00-7a10-8c57-00000000000b';
const SECRET = 'a secret of the tests, and long enough for HS256';

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

/** What a faulty server does to a request before it looks at it, or to an answer before it sends it. */
interface Fault {
  before?(asked: Asked, tokens: { owner: string; other: string }): void;
  after?(answered: Answered, asked: Asked): void;
}

/** A server in this process, as far as `fetch` can tell. */
function fetchOf(service: Service, fault: Fault, tokens: { owner: string; other: string }): typeof fetch {
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
        void (isList(asked) && Object.assign(asked, { url: asked.url.replace(/limit=[1-4]\b/, 'limit=9') })),
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
    ['leak'],
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

/** A server of the storefront whose ids and moments are the same in every one. */
function repeatable(): Promise<Service> {
  let ids = 0;
  let now = Date.now();
  return startService('contracts', databases[0]!, handlers as unknown as AnyHandlers, {
    clock: () => new Date(now++),
    newId: () => `01941f29-7c00-7a10-8c57-1${String(ids++).padStart(11, '0')}`,
    checkResponses: false,
  });
}

describe('verify', () => {
  let service: Service;
  let tokens = { owner: '', other: '' };
  const run = async (
    fault: Fault,
    { seed = 1, runs = 40, maxFindings = 1, on = service } = {},
  ): Promise<VerifyReport> => {
    const { contract } = on;
    const callers = signedCallers(contract, secretKeys(SECRET), [OWNER, OTHER]);
    tokens = { owner: callers.owner.authorization!.slice(7), other: callers.other!.authorization!.slice(7) };
    return verify({
      contract,
      origin: 'http://server',
      callers,
      seed,
      runs,
      maxFindings,
      fetch: fetchOf(on, fault, tokens),
    });
  };

  beforeAll(async () => {
    service = await startService('contracts', databases[0]!, handlers as unknown as AnyHandlers, {
      clock: () => new Date(),
      checkResponses: false,
    });
  });
  afterAll(() => service.close());

  it('finds nothing in a server that keeps its contract', async () => {
    const report = await run({}, { seed: 7, runs: 100 });
    expect(report.findings).toEqual([]);
    expect(report.requests).toBeGreaterThan(1_000);
  });

  it.each(FAULTS)('finds a server that %s', async (_what, rules, fault) => {
    const { findings } = await run(fault);
    expect(findings.map(({ rule }) => rule).filter((rule) => rules.includes(rule))).not.toEqual([]);
    const [{ curl, message }] = findings as [(typeof findings)[number]];
    expect(message).not.toBe('');
    expect(curl.at(-1)).toMatch(/^curl -X [A-Z]+ 'http:\/\/server\//);
    expect(curl.join('\n')).not.toContain(tokens.owner);
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

  it('finds several faults at once, and finds the same for a seed', async () => {
    const both: Fault = {
      before: ({ headers }) => {
        delete headers['if-none-match'];
        delete headers['if-match'];
      },
    };
    const subjects = async (): Promise<string[]> => {
      const on = await repeatable();
      const { findings } = await run(both, { seed: 3, runs: 20, maxFindings: 3, on });
      await on.close();
      return findings.map(({ rule, subject }) => `${rule} ${subject}`);
    };
    const first = await subjects();
    expect(new Set(first).size).toBeGreaterThan(1);
    expect(await subjects()).toEqual(first);
  });
});

describe.each(['cats', 'library'])('verify of %s', (name) => {
  it('finds nothing in the server of its contract', async () => {
    const service = await startService(name, databases[0]!, {}, { clock: () => new Date(), allowMissing: true });
    const callers = signedCallers(service.contract, secretKeys(SECRET), [OWNER, OTHER]);
    const send = fetchOf(service, {}, { owner: '', other: '' });
    const report = await verify({
      contract: service.contract,
      origin: 'http://server',
      callers,
      seed: 5,
      runs: 60,
      fetch: send,
    });
    expect(report.findings).toEqual([]);
    await service.close();
  });
});
