import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { parse, print } from 'graphql';
import { prefersGzip } from '../http/content-coding.ts';
import { pagePolicy, policyElement, policyField, scriptHashes } from '../http/page-policy.ts';
import { isCurrent, type ServePage } from '../http/pages.ts';

/** What stands in the editors at first. */
export interface GraphiqlDefaults {
  /** A document on one line. */
  readonly document?: string | undefined;
  /** Fields of the header section: a token, for one. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Where the documentation is, seen from the page. */
  readonly documentation?: string | undefined;
}

/** Links fill in the editors: `#document=…&variables=…`. A fragment is sent to no server, and so is logged by none. */
const FROM_LINK = `(() => {
  const link = new URLSearchParams(location.hash.slice(1));
  if (link.has('document')) history.replaceState({}, '', location.pathname);
  return {
    ...(link.has('document') && { query: link.get('document') }),
    ...(link.has('variables') && { variables: link.get('variables') }),
  };
})()`;
/** Where the page hands over the options of GraphiQL. */
const OPTIONS =
  /(YogaGraphiQL\.renderYogaGraphiQL\(\s*window\.document\.querySelector\('#root'\),\s*)(\{.*\})(,?\s*\);\s*<\/script>)/;

/** The page contains all of its code, and connects to its endpoint alone. Its editors style themselves. */
const policyOf = (page: string, endpoint: string): string =>
  pagePolicy({
    'script-src': `${scriptHashes([...page.matchAll(SCRIPT)].map(([, script]) => script!))} blob:`,
    'worker-src': 'blob:',
    'style-src': "'unsafe-inline'",
    'font-src': 'data:',
    'img-src': 'data:',
    'connect-src': `'self' ${endpoint.startsWith('/') ? '' : originsOf(new URL(endpoint))}`.trim(),
  });
const SCRIPT = /<script[^>]*>([\s\S]*?)<\/script>/g;
const originsOf = ({ origin }: URL): string => `${origin} ${origin.replace('http', 'ws')}`;

interface Page {
  readonly body: Buffer;
  readonly etag: string;
  readonly policy: ReturnType<typeof policyField>;
}

/** Serves GraphiQL, a page for trying out documents in a browser, with subscriptions over WebSocket. */
export function registerGraphiql(
  serve: ServePage,
  path: string,
  endpointPath: string,
  defaultsOf: () => GraphiqlDefaults,
): void {
  let made: Promise<Page> | undefined;
  serve(path, async (request, reply) => {
    made ??= render(graphiqlPage(endpointPath, defaultsOf()));
    const { body, etag, policy } = await made;
    reply.headers({ etag, vary: 'Accept-Encoding', 'cache-control': 'no-cache', ...policy });
    if (isCurrent(request.headers['if-none-match'], etag)) return reply.code(304).send();
    reply.type('text/html; charset=utf-8');
    if (!prefersGzip(request.headers['accept-encoding'])) return reply.send(await promisify(gunzip)(body));
    return reply.header('content-encoding', 'gzip').send(body);
  });
}

/** The page for the endpoint at a path. */
export function graphiqlPage(endpoint: string, { document, headers, documentation }: GraphiqlDefaults = {}): string {
  const page = renderGraphiQL({
    endpoint,
    title: 'GraphiQL',
    subscriptionsProtocol: 'WS',
    defaultEditorToolsVisibility: 'headers',
    // A token of development does not outlive its server.
    shouldPersistHeaders: headers === undefined,
    ...(document !== undefined && { query: print(parse(document)) }),
    ...(headers && { headers: JSON.stringify(headers, undefined, 2) }),
  } as never);
  const made = page.replace(OPTIONS, (_, before: string, options: string, after: string) => {
    const safe = options.replaceAll('<', '\\u003c');
    return `${before}Object.assign(${safe}, ${FROM_LINK})${after}`;
  });
  return made
    .replace('<head>', () => `<head>${policyElement(policyOf(made, endpoint))}${VIEWPORT}`)
    .replace(/<body[^>]*>/, (body) => body + (documentation === undefined ? '' : wayBack(documentation)));
}

const VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1">';

/** In a corner that has no control. */
const wayBack = (path: string): string =>
  `<a href="${path}" style="position:fixed;right:8px;bottom:8px;z-index:9;padding:4px 10px;border-radius:6px;background:#fff;color:#0b6b63;font:14px/1.4 system-ui,sans-serif;box-shadow:0 0 0 1px #ccc">Documentation</a>`;

/** Compresses the page once: it is nine megabytes of text. */
async function render(page: string): Promise<Page> {
  const body = await promisify(gzip)(page);
  const policy = policyField(page);
  return { body, policy, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}
