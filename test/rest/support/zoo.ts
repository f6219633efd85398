import fastify, { type FastifyInstance } from 'fastify';
import { standardErrors } from '../../../src/descriptor/standard-errors.ts';
import type { Principal } from '../../../src/runtime/auth/principal.ts';
import { ApiError } from '../../../src/runtime/errors/api-error.ts';
import { type FastifySettings, fastifyOptions } from '../../../src/runtime/http/fastify-options.ts';
import { type CustomHandler, mountRest, type RestOptions } from '../../../src/runtime/rest/mount-rest.ts';
import { createSchemaRegistry } from '../../../src/runtime/schema/create-schema-registry.ts';
import { fakeEngine, type Seen } from './fake-engine.ts';
import { catDescriptor, zooDocument } from './zoo-document.ts';

export const READER = { authorization: 'Bearer reader' };
export const WRITER = { authorization: 'Bearer writer' };

const principal = (subject: string, ...scopes: string[]): Principal => ({
  subject,
  scopes: new Set(scopes),
  expiresAtMs: Number.MAX_SAFE_INTEGER,
});

/** `reader` is known at once, `writer` after a while, as with a token that must be verified first. */
export function authenticate(authorization: string | undefined): Principal | undefined | Promise<Principal> {
  if (authorization === undefined) return undefined;
  if (authorization === READER.authorization) return principal('reader');
  if (authorization === WRITER.authorization) return Promise.resolve(principal('writer', 'cats:write'));
  throw new ApiError('UNAUTHENTICATED', {
    headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
  });
}

export interface Zoo {
  readonly app: FastifyInstance;
  readonly seen: Seen;
  /** Errors that were logged. */
  readonly logged: unknown[];
}

/** Custom operations answer with the request as they got it. */
const echo: CustomHandler = ({ params, query, headers, cookies, body, contentType }) => ({
  status: 200,
  body: { params, query, headers, cookies, body, contentType },
});

export const operations: Readonly<Record<string, CustomHandler>> = {
  echo,
  getPoint: echo,
  getOldestCat: (_request, { caller }) => ({
    status: 200,
    body: {
      id: '0190d6a0-0000-7000-8000-000000000001',
      version: 1,
      name: caller.principal?.subject ?? 'nobody',
      colour: 'BLACK',
    },
  }),
  runOdd: ({ params }) => ({ status: 202, headers: { 'x-odd': String(params['odd-name']) } }),
  addDocument: ({ body, contentType, accept }) =>
    accept === 'text/csv'
      ? { status: 201, contentType: 'text/csv', body: 'title\nx' }
      : {
          status: 201,
          body: {
            title:
              typeof body === 'object' && !Buffer.isBuffer(body) ? (body as { title: string }).title : String(body),
            secret: 'hidden',
            leak: contentType,
          },
        },
  listKeys: () => ({ status: 204 }),
  broken: () => ({ status: 200, body: 'not a number' }),
};

/** The zoo contract behind REST, over a fake engine. */
export async function openZoo(
  options: Partial<RestOptions> = {},
  settings: Partial<FastifySettings> = {},
): Promise<Zoo> {
  const logged: unknown[] = [];
  const document = options.document ?? zooDocument;
  const schemas = createSchemaRegistry(document);
  const { engine, seen } = fakeEngine(document, schemas);
  const app = fastify({ ...fastifyOptions({ errors: standardErrors, log: recordingLog(logged), ...settings }) });
  await mountRest(app, {
    document,
    resources: [catDescriptor],
    errors: standardErrors,
    engine,
    schemas,
    authenticate,
    operations,
    security: { apiKey: ({ headers }) => (headers['x-api-key'] === 'k' ? principal('machine') : undefined) },
    ...options,
  });
  await app.ready();
  return { app, seen, logged };
}

function recordingLog(logged: unknown[]): NonNullable<FastifySettings['log']> {
  const ignore = () => undefined;
  const log = {
    level: 'error',
    error: (fields: unknown) => void logged.push(fields),
    fatal: ignore,
    warn: ignore,
    info: ignore,
    debug: ignore,
    trace: ignore,
    silent: ignore,
    child: () => log,
  };
  return log as NonNullable<FastifySettings['log']>;
}
