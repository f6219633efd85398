import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import type { FastifyInstance } from 'fastify';

export interface GraphiqlOptions {
  readonly path: string;
  readonly endpointPath: string;
}

/** The page brings all its code with it; it may talk to this server and to nobody else. */
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

/** Serves GraphiQL: one page for a browser to try documents in, subscriptions over WebSocket included. */
export function registerGraphiql(app: FastifyInstance, { path, endpointPath }: GraphiqlOptions): void {
  let made: Promise<Page> | undefined;
  app.get(path, async (request, reply) => {
    made ??= render(endpointPath);
    const { body, etag } = await made;
    reply.headers({ etag, 'cache-control': 'no-cache', 'content-security-policy': SECURITY_POLICY });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply.headers({ 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' }).send(body);
  });
}

/** A page to try the documents of an endpoint in. */
export function graphiqlPage(endpoint: string): string {
  return renderGraphiQL({
    endpoint,
    title: 'GraphiQL',
    subscriptionsProtocol: 'WS',
    defaultEditorToolsVisibility: 'headers',
    shouldPersistHeaders: true,
  } as never);
}

/** Compressed once: the page is nine megabytes of text. */
async function render(endpoint: string): Promise<Page> {
  const body = await promisify(gzip)(graphiqlPage(endpoint));
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}
