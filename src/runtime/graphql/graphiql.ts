import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import type { ServePage } from '../http/pages.ts';

/** The page contains all of its code, and may only connect to this server. */
const SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline' 'unsafe-eval' blob:",
  'worker-src blob:',
  "style-src 'unsafe-inline'",
  'font-src data:',
  'img-src data:',
  "connect-src 'self' ws: wss:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface Page {
  readonly body: Buffer;
  readonly etag: string;
}

/** Serves GraphiQL, a page for trying out documents in a browser, with subscriptions over WebSocket. */
export function registerGraphiql(serve: ServePage, path: string, endpointPath: string): void {
  let made: Promise<Page> | undefined;
  serve(path, async (request, reply) => {
    made ??= render(endpointPath);
    const { body, etag } = await made;
    reply.headers({ etag, 'cache-control': 'no-cache', 'content-security-policy': SECURITY_POLICY });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply.headers({ 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' }).send(body);
  });
}

/** The page for the endpoint at a path. */
export function graphiqlPage(endpoint: string): string {
  return renderGraphiQL({
    endpoint,
    title: 'GraphiQL',
    subscriptionsProtocol: 'WS',
    defaultEditorToolsVisibility: 'headers',
    shouldPersistHeaders: true,
  } as never);
}

/** Compresses the page once: it is nine megabytes of text. */
async function render(endpoint: string): Promise<Page> {
  const body = await promisify(gzip)(graphiqlPage(endpoint));
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}
