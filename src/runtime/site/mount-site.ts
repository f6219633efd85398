import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCatalogue, ErrorDescriptor } from '../../descriptor/error.ts';
import { ApiError } from '../errors/api-error.ts';
import type { ServePage } from '../http/pages.ts';
import type { Site, SiteFile } from './site.ts';

interface Prepared extends SiteFile {
  readonly etag: string;
  readonly zipped: Buffer;
}

/**
 * Serves the documentation: `/`, everything below `/docs/`, and a page for each error code, to which the `type` of a
 * problem leads. Without a site, these pages are plain text. Paths of the contract take precedence.
 */
export function mountSite(
  app: FastifyInstance,
  serve: ServePage,
  errors: ErrorCatalogue,
  site: Site | undefined,
): void {
  const answer = site && answerer(site);
  for (const error of Object.values(errors)) {
    const text = textOf(error);
    serve(`/errors/${error.code}`, (request, reply) => {
      if (answer && /text\/html/.test(request.headers.accept ?? ''))
        return answer(`errors/${error.code}.html`, request, reply);
      return reply.header('vary', 'Accept').type('text/plain; charset=utf-8').send(text);
    });
  }
  if (!answer) return;
  const routes: Readonly<Record<string, (request: FastifyRequest) => string>> = {
    '/': () => 'index.html',
    '/index.html': () => 'index.html',
    '/errors/:page': ({ params }) => `errors/${(params as { page: string }).page}`,
    '/docs/*': ({ params }) => `docs/${(params as { '*': string })['*']}`,
  };
  for (const [url, pathOf] of Object.entries(routes))
    if (!app.hasRoute({ method: 'GET', url })) serve(url, (request, reply) => answer(pathOf(request), request, reply));
}

/** Caches compressed files. */
function answerer(site: Site): (path: string, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const prepared = new Map<string, Prepared>();
  return async (path, { headers }, reply) => {
    const ready = prepared.get(path) ?? (await prepare(await site.file(path)));
    prepared.set(path, ready);
    const { type, body, zipped, etag } = ready;
    reply.headers({
      etag,
      vary: path.startsWith('errors/') ? 'Accept, Accept-Encoding' : 'Accept-Encoding',
      'cache-control': 'no-cache',
      'content-security-policy': "frame-ancestors 'none'",
    });
    if (headers['if-none-match'] === etag) return reply.code(304).send();
    reply.type(type);
    if (!/\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))) return reply.send(body);
    return reply.header('content-encoding', 'gzip').send(zipped);
  };
}

/** Throws `NOT_FOUND`. */
async function prepare(file: SiteFile | undefined): Promise<Prepared> {
  if (!file) throw new ApiError('NOT_FOUND');
  const etag = `"${createHash('sha256').update(file.body).digest('base64url').slice(0, 22)}"`;
  return { ...file, etag, zipped: await promisify(gzip)(file.body) };
}

function textOf({ code, status, title, description, retryable }: ErrorDescriptor): string {
  const retry = retryable ? 'The same request may succeed later.' : 'The same request will fail again.';
  return `${code}\n${status} ${title}\n\n${description}\n${retry}\n`;
}
