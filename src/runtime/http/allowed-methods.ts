import { errorCodes, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import findMyWay from 'find-my-way';
import { once } from '../../descriptor/once.ts';
import { ApiError } from '../errors/api-error.ts';
import { pathOf, type ReplyProblem } from './problem-reply.ts';

/** How the app's router finds paths. */
export const ROUTER_OPTIONS = { maxParamLength: 1_024 };

/** The methods of one path. */
export interface AllowedMethods {
  /** The path in the syntax of Fastify's router. */
  readonly url: string;
  /** Those that have a handler. */
  readonly served: ReadonlySet<string>;
  /** The `Allow` field: the same and OPTIONS. */
  readonly allow: string;
  /** Refuses the others. */
  readonly replyProblem: ReplyProblem;
  /** Request header fields of each method that browsers do not send across origins unless they are allowed to. */
  readonly takes?: ReadonlyMap<string, readonly string[]>;
}

/** `OPTIONS` is answered on every path. */
export const allowOf = (served: ReadonlySet<string>): string => [...new Set([...served, 'OPTIONS'])].join(', ');

/** All paths that are served. A route for each method that a path lacks would be a tenth of a start. */
export class AllowedPaths {
  readonly #paths = new Map<string, AllowedMethods>();
  readonly #router = once(() => routerOf(this.#paths.values()));

  /** Throws for a path that is there already. */
  add(...paths: readonly AllowedMethods[]): void {
    for (const path of paths) {
      if (this.has(path.url)) throw new Error(`The path ${path.url} is served twice.`);
      this.#paths.set(shapeOf(path.url), path);
    }
  }

  /** Whether there is the same path, whatever the names of its parameters. */
  has(url: string): boolean {
    return this.#paths.has(shapeOf(url));
  }

  /** The path that the app's router would find if each one served all methods; null: a parameter is too long for it. */
  find(request: FastifyRequest): AllowedMethods | null | undefined {
    return this.#router().find('GET', pathOf(request))?.store;
  }

  /** The route of a request, refused or not, by a method that some route could have. */
  readonly routeOf = (request: FastifyRequest): string | undefined => {
    const { method, routeOptions, server } = request;
    return routeOptions.url ?? (server.supportedMethods.includes(method) ? this.find(request)?.url : undefined);
  };

  /** Refuses methods of a path (`/cats/oldest`) that the router would find on another one (`/cats/:id`). No path is added afterwards. */
  refuseShadowed(app: FastifyInstance): void {
    // Requests have nothing to compile.
    this.#router();
    const all = [...this.#paths.values()].map((path) => ({ path, segments: segmentsOf(path.url) }));
    const open = all.filter(({ path }) => /[:*]/.test(path.url));
    for (const { path, segments } of all) {
      const met = open.filter((other) => other.path !== path && mayMeet(segments, other.segments));
      const served = new Set(met.flatMap((other) => [...other.path.served]));
      const method = [...served].filter((name) => !path.served.has(name));
      if (method.length > 0) app.route({ method, url: path.url, onRequest: refusal(path), handler: () => undefined });
    }
  }
}

/** Answers OPTIONS, and refuses every method that the path of a request does not serve, before its body is read. */
export function refuseOtherMethods(scope: FastifyInstance, paths: AllowedPaths): void {
  scope.addHook('onRequest', (request, reply, done) => {
    const path = paths.find(request);
    if (path) refusal(path)(request, reply);
    else done(path === null ? errorCodes.FST_ERR_MAX_PARAM_LENGTH() : undefined);
  });
}

const refusal =
  ({ allow, replyProblem }: AllowedMethods) =>
  (request: FastifyRequest, reply: FastifyReply): void => {
    if (request.method === 'OPTIONS') return void reply.code(204).header('allow', allow).send();
    const detail = `${request.method} is not allowed on this path; ${allow} are.`;
    replyProblem(new ApiError('METHOD_NOT_ALLOWED', { detail, headers: { allow } }), request, reply);
  };

const shapeOf = (url: string): string => url.replaceAll(/(::)|:\w+/g, '$1:');

function routerOf(paths: Iterable<AllowedMethods>) {
  const router = findMyWay({ ...ROUTER_OPTIONS, onMaxParamLength: () => undefined });
  for (const path of paths) router.on('GET', path.url, () => undefined, path);
  return router;
}

/** The pattern of a parameter may have a slash. */
const segmentsOf = (url: string): readonly string[] => url.replaceAll(/\([^)]*\)/g, '').split('/');

/** Whether a request may match both paths. */
function mayMeet(a: readonly string[], b: readonly string[]): boolean {
  for (let i = 0; ; i++) {
    const [one, other] = [a[i], b[i]];
    if (one === '*' || other === '*') return true;
    if (one === undefined || other === undefined) return one === other;
    if (one !== other && !one.includes(':') && !other.includes(':')) return false;
  }
}
