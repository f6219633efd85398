import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../errors/api-error.ts';
import { preferredType } from '../http/accept.ts';
import { type ContentCoding, preferredCoding } from '../http/content-coding.ts';
import { policyField } from '../http/page-policy.ts';
import { isCurrent } from '../http/pages.ts';
import type { Site, SiteFile } from './site.ts';

/** The page for paths at which there is nothing. */
const UNKNOWN = '404.html';
/** Of files with a digest in their names: another content would have another name (RFC 8246). */
const FOR_EVER = 'public, max-age=31536000, immutable';
const HAS_DIGEST = /^docs\/assets\/.*\.[0-9a-f]{10}\.\w+$/;
/** How many bytes of files are kept, compressed ones included. */
const MAX_KEPT_BYTES = 32 * 1_048_576;
/** Smaller for much more time is for those who write the files. */
const BROTLI_QUALITY = 5;

/** What is smaller when it is compressed; fonts and archives are compressed already. */
const COMPRESSIBLE = /^text\/|json|xml/;

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
  readonly coded: Map<ContentCoding, Promise<Buffer>>;
}

/** Whether a person is looking. */
export const isBrowser = ({ headers }: FastifyRequest): boolean => /text\/html/i.test(headers.accept ?? '');

/** Whether a program asks for the text of a page. */
export const prefersMarkdown = ({ headers }: FastifyRequest): boolean =>
  headers.accept !== undefined && preferredType(headers.accept, ['text/html', 'text/markdown']) === 'text/markdown';

/** Files that are asked for often are kept. `basePath` is that of the API. */
export function createSitePages(site: Site, basePath: string): SitePages {
  const prepared = new LRUCache<string, Prepared>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ body }) => 1 + Math.ceil(body.length * 1.5),
  });
  const find = async (path: string): Promise<Prepared | undefined> => {
    const file = prepared.get(path) ?? prepare(await site.file(path));
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
      const isPage = path.endsWith('.html');
      const twin = isPage && prefersMarkdown(request) ? path.replace(/html$/, 'md') : undefined;
      const file = (twin === undefined ? undefined : await find(twin)) ?? (await find(path));
      if (!file) return missing(request, reply);
      const { etag, policy } = file;
      const vary = isPage ? 'Accept, Accept-Encoding' : 'Accept-Encoding';
      // Of one text in several codings: weak (RFC 9110, 8.8.3.3).
      reply.headers({
        etag: `W/${etag}`,
        vary,
        'cache-control': HAS_DIGEST.test(path) ? FOR_EVER : 'no-cache',
        ...policy,
      });
      if (isCurrent(request.headers['if-none-match'], etag)) return reply.code(304).send();
      return sent(file, request, reply);
    },
    unknown(request, reply) {
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      const isOfApi = basePath !== '' && `${request.raw.url}/`.startsWith(`${basePath}/`);
      return isRead && !isOfApi && isBrowser(request) ? missing(request, reply) : undefined;
    },
  };
}

async function sent(file: Prepared, { headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const coding = COMPRESSIBLE.test(file.type) ? preferredCoding(headers['accept-encoding']) : 'identity';
  reply.type(file.type);
  if (coding === 'identity') return reply.send(file.body);
  const made = file.coded.get(coding) ?? encoded(file, coding);
  file.coded.set(coding, made);
  return reply.header('content-encoding', coding).send(await made);
}

function encoded({ body, brotli }: SiteFile, coding: ContentCoding): Promise<Buffer> {
  if (coding === 'gzip') return promisify(gzip)(body);
  if (brotli) return Promise.resolve(brotli);
  return promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
}

function prepare(file: SiteFile | undefined): Prepared | undefined {
  if (!file) return undefined;
  const etag = `"${createHash('sha256').update(file.body).digest('base64url').slice(0, 22)}"`;
  const policy = policyField(file.body.toString('latin1', 0, 4_096));
  return { ...file, etag, policy, coded: new Map() };
}
