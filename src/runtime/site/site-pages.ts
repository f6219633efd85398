import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error.ts';
import { prefersGzip } from '../http/content-coding.ts';
import { policyField } from '../http/page-policy.ts';
import type { Site, SiteFile } from './site.ts';

/** The page for paths at which there is nothing. */
const UNKNOWN = '404.html';

/** The files of a site as answers. */
export interface SitePages {
  /** Rejects with `NOT_FOUND` if the file is missing; browsers get a page that says so. */
  answer(path: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  /** Answers a browser outside the API with a page; undefined: it is not for a page to answer. */
  unknown(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> | undefined;
}

interface Prepared extends SiteFile {
  readonly etag: string;
  readonly policy: ReturnType<typeof policyField>;
  readonly zipped: Buffer;
}

/** Whether a person is looking. */
export const isBrowser = ({ headers }: FastifyRequest): boolean => /text\/html/.test(headers.accept ?? '');

/** Compressed files are kept. `basePath` is that of the API. */
export function createSitePages(site: Site, basePath: string): SitePages {
  const prepared = new Map<string, Prepared>();
  const find = async (path: string): Promise<Prepared | undefined> => {
    const file = prepared.get(path) ?? (await prepare(await site.file(path)));
    if (file) prepared.set(path, file);
    return file;
  };
  const missing = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const page = isBrowser(request) ? await find(UNKNOWN) : undefined;
    if (!page) throw new ApiError('NOT_FOUND', { detail: 'There is nothing at this path.' });
    reply.headers({ vary: 'Accept, Accept-Encoding', ...page.policy });
    return sent(page, request, reply.code(404));
  };
  return {
    async answer(path, request, reply) {
      const file = await find(path);
      if (!file) return missing(request, reply);
      const { etag, policy } = file;
      const vary = path.startsWith('errors/') ? 'Accept, Accept-Encoding' : 'Accept-Encoding';
      reply.headers({ etag, vary, 'cache-control': 'no-cache', ...policy });
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      return sent(file, request, reply);
    },
    unknown(request, reply) {
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      const isOfApi = basePath !== '' && `${request.raw.url}/`.startsWith(`${basePath}/`);
      return isRead && !isOfApi && isBrowser(request) ? missing(request, reply) : undefined;
    },
  };
}

function sent({ type, body, zipped }: Prepared, { headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.type(type);
  if (!prefersGzip(headers['accept-encoding'])) return reply.send(body);
  return reply.header('content-encoding', 'gzip').send(zipped);
}

async function prepare(file: SiteFile | undefined): Promise<Prepared | undefined> {
  if (!file) return undefined;
  const etag = `"${createHash('sha256').update(file.body).digest('base64url').slice(0, 22)}"`;
  const policy = policyField(file.body.toString('latin1', 0, 4_096));
  return { ...file, etag, policy, zipped: await promisify(gzip)(file.body) };
}
