import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AllowedMethods, AllowedPaths } from './allowed-methods.ts';

/** Whose pages may read answers (https://fetch.spec.whatwg.org/#http-cors-protocol): `any`, those of `this-machine`, or these. */
export type AllowedOrigins = 'any' | 'this-machine' | readonly string[];

/** Header fields of answers by name, as JavaScript of another origin may read them. */
const EXPOSED =
  'ETag, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Deprecation, Sunset, Link, Consistency-Token, WWW-Authenticate';

/** Header fields by which a trace goes on (https://www.w3.org/TR/trace-context/). */
export const TRACE_CONTEXT = ['traceparent', 'tracestate'];

/** For how many seconds a browser may keep what a preflight request was answered. */
const MAX_AGE = '7200';

/** An origin on this machine, at any port. */
const THIS_MACHINE = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

type Fields = Readonly<Record<string, string>>;

/** Decides which origins may read answers, and says so in header fields that are made at boot. */
export class Cors {
  readonly #isAllowed: (origin: string) => boolean;
  readonly #isAny: boolean;
  readonly #shared: Fields;

  /** Header fields that any request may have beside those of its operation. */
  readonly fields: readonly string[];

  /** `hasCookies`: some operation takes its credentials from a cookie, which browsers send only where that is allowed. */
  constructor(origins: AllowedOrigins, hasCookies: boolean, fields: readonly string[] = []) {
    this.fields = fields;
    const listed: ReadonlySet<string> = new Set(typeof origins === 'string' ? [] : origins);
    this.#isAny = origins === 'any';
    this.#isAllowed =
      origins === 'any'
        ? () => true
        : origins === 'this-machine'
          ? (origin) => THIS_MACHINE.test(origin)
          : (origin) => listed.has(origin);
    this.#shared = {
      // Caches may give such an answer to anyone, so that all have the field.
      ...(this.#isAny && { 'access-control-allow-origin': '*' }),
      'access-control-expose-headers': EXPOSED,
      // Whoever may read anything must not read it in the name of the user.
      ...(hasCookies && !this.#isAny && { 'access-control-allow-credentials': 'true' }),
    };
  }

  /** Whether answers differ by the origin of the request, and caches must know that. */
  get isVaried(): boolean {
    return !this.#isAny;
  }

  /** The fields of an answer to a request; undefined if its origin may not read it, or it has none. Of `any`, all have them. */
  fieldsFor(origin: string | undefined): Fields | undefined {
    if (this.#isAny) return this.#shared;
    if (origin === undefined || !this.#isAllowed(origin)) return undefined;
    return { 'access-control-allow-origin': origin, ...this.#shared };
  }

  /** Whether pages of an origin are named as allowed, and not only those of the host itself. */
  allows(origin: string): boolean {
    return this.#isAllowed(origin);
  }

  /** Whether a socket may be opened: by a program, by a page of the host itself, or of an origin that is allowed. */
  admits({ headers: { origin, host } }: IncomingMessage): boolean {
    if (origin === undefined || this.#isAllowed(origin)) return true;
    return host !== undefined && URL.parse(origin)?.host === host.toLowerCase();
  }
}

/**
 * Lets pages of other origins read answers, and answers preflight requests with the methods of the path and the header fields
 * of the operation that is asked for.
 */
export function registerCors(app: FastifyInstance, cors: Cors, paths: AllowedPaths): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    const fields = origin === undefined && cors.isVaried ? undefined : cors.fieldsFor(origin);
    if (fields) reply.headers(fields);
    if (!fields || !isPreflight(request)) return done();
    const path = paths.find(request);
    if (!path) return done();
    answerPreflight(request, reply, path, cors.fields);
  });
  if (cors.isVaried)
    app.addHook('onSend', (_request, reply, _payload, done) => {
      const own = reply.getHeader('vary');
      // What an old version forwards has passed here once.
      if (!/\bOrigin\b/.test(String(own))) reply.header('vary', own === undefined ? 'Origin' : `${own}, Origin`);
      done();
    });
}

const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

function answerPreflight(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  path: AllowedMethods,
  fields: readonly string[],
): void {
  const own = path.takes?.get(String(headers['access-control-request-method']));
  const known = new Set(own?.map((name) => name.toLowerCase()));
  const taken = own && [...own, ...fields.filter((name) => !known.has(name.toLowerCase()))];
  void reply
    .code(204)
    .removeHeader('access-control-expose-headers')
    .header('allow', path.allow)
    .header('access-control-allow-methods', [...path.served].join(', '))
    .headers(taken && taken.length > 0 ? { 'access-control-allow-headers': taken.join(', ') } : {})
    .header('access-control-max-age', MAX_AGE)
    .send();
}
