import fastify, { type FastifyInstance } from 'fastify';
import { describeRest } from '../../../../src/compiler/model/rest/describe-rest.ts';
import type { OpenApiDocument } from '../../../../src/descriptor/document.ts';
import type { RestDescriptor } from '../../../../src/descriptor/rest.ts';
import { standardErrors } from '../../../../src/descriptor/standard-errors.ts';
import { Admission } from '../../../../src/runtime/admission/admission.ts';
import { Identification } from '../../../../src/runtime/auth/identification.ts';
import type { Principal } from '../../../../src/runtime/auth/principal.ts';
import type { SecurityHandler } from '../../../../src/runtime/auth/security-handler.ts';
import type { HandlerContext } from '../../../../src/runtime/engine/interface/field-handler.ts';
import type { AnyResources } from '../../../../src/runtime/engine/interface/untyped.ts';
import { ApiError } from '../../../../src/runtime/errors/api-error.ts';
import { FailureLog } from '../../../../src/runtime/errors/failure-log.ts';
import { AllowedPaths } from '../../../../src/runtime/http/allowed-methods.ts';
import { Cors } from '../../../../src/runtime/http/cors.ts';
import { fastifyOptions, type HttpSettings } from '../../../../src/runtime/http/fastify-options.ts';
import { HEALTH_PATHS } from '../../../../src/runtime/http/health.ts';
import { NO_LIMITS, Pressure } from '../../../../src/runtime/http/pressure.ts';
import { createProblemRenderer } from '../../../../src/runtime/http/problem.ts';
import { createProblemReply } from '../../../../src/runtime/http/problem-reply.ts';
import type { CustomReply, CustomRequest } from '../../../../src/runtime/rest/custom-handler.ts';
import { mountRest } from '../../../../src/runtime/rest/mount-rest.ts';
import { createSchemaRegistry } from '../../../../src/runtime/schema/create-schema-registry.ts';
import { plannedWiring, routesOf } from '../../../../src/runtime/wiring.ts';
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
function authenticate(authorization: string): Principal | Promise<Principal> {
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

/** Untyped code of a route. */
export type RouteCode = (
  request: CustomRequest,
  context: HandlerContext<AnyResources>,
) => CustomReply | Promise<CustomReply>;

/** Custom operations answer with the request as they got it. */
const echo: RouteCode = ({ params, query, headers, cookies, body, contentType }) => ({
  status: 200,
  body: { params, query, headers, cookies, body, contentType },
});

export const operations: Readonly<Record<string, RouteCode>> = {
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

export interface ZooOptions {
  readonly document?: OpenApiDocument;
  readonly operations?: Readonly<Record<string, RouteCode>>;
  readonly security?: Readonly<Record<string, SecurityHandler>>;
  readonly allowMissing?: boolean;
  readonly checkResponses?: boolean;
  readonly pressure?: Pressure;
}

const knownKey: SecurityHandler = ({ headers }) => (headers['x-api-key'] === 'k' ? principal('machine') : undefined);

/** The zoo contract behind REST, over a fake engine. */
export async function openZoo(options: ZooOptions = {}, settings: HttpSettings = {}): Promise<Zoo> {
  const logged: unknown[] = [];
  const render = createProblemRenderer(standardErrors);
  const { document = zooDocument, security = { apiKey: knownKey }, allowMissing = false } = options;
  const rest = ofHttp(describeRest(document));
  const contract = { document, rest, resources: [catDescriptor], errors: standardErrors };
  const schemas = createSchemaRegistry(document);
  const { engine, seen } = fakeEngine(document, schemas);
  const handlers = { routes: options.operations ?? operations };
  const routes = routesOf(contract, plannedWiring(contract), { engine, operations: {} }, handlers, allowMissing);
  const { pressure = new Pressure(NO_LIMITS) } = options;
  const gate = { pressure, readiness: { isReady: true }, alwaysOpen: HEALTH_PATHS, cors: new Cors([], false) };
  const replyProblem = createProblemReply(render, new FailureLog());
  const app = fastify(fastifyOptions({ log: recordingLog(logged), ...settings }, render, replyProblem, gate));
  const paths = new AllowedPaths();
  await mountRest(app, routes, {
    document,
    rest,
    schemas,
    admission: new Admission(new Identification(rest, authenticate, security, allowMissing), undefined, pressure),
    checkResponses: options.checkResponses,
    errors: contract.errors,
    replyProblem,
    paths,
  });
  paths.refuseShadowed(app);
  await app.ready();
  return { app, seen, logged };
}

/** Only HTTP has the custom operations: their code gets whole requests. */
const ofHttp = (rest: RestDescriptor): RestDescriptor => ({
  ...rest,
  operations: rest.operations.map((operation) => ({ ...operation, code: { in: 'routes' } })),
});

function recordingLog(logged: unknown[]): NonNullable<HttpSettings['log']> {
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
  return log as NonNullable<HttpSettings['log']>;
}
