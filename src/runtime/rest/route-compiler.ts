import type { RouteOptions } from 'fastify';
import type { Action } from '../../descriptor/resource.ts';
import { authorize } from '../auth/authorize.ts';
import { Identification } from '../auth/identification.ts';
import { ApiError } from '../errors/api-error.ts';
import { createNegotiation } from '../http/negotiation.ts';
import type { ReplyProblem } from '../http/problem-reply.ts';
import { Pickers } from '../schema/pick.ts';
import { cachingHeaders } from './caching-headers.ts';
import { customAnswer } from './custom-answer.ts';
import { deprecationHeaders } from './deprecation.ts';
import type { RestOperation } from './operation.ts';
import { createParametersReader } from './parameters/parameters-reader.ts';
import { routePathOf } from './parameters/route-path.ts';
import { createBodyReader } from './request-body.ts';
import { type OfferedAction, resourceActions } from './resource-actions.ts';
import { resourceAnswer } from './resource-answers.ts';
import { createResponseCheck } from './response-check.ts';
import type { RestOptions } from './rest-options.ts';
import { admissionHook, type Route, routeHandler } from './route.ts';

/** Decides at boot everything that the contract says of an operation. */
export class RouteCompiler {
  readonly #options: RestOptions;
  readonly #basePath: string;
  readonly #replyProblem: ReplyProblem;
  readonly #identification: Identification;
  readonly #pickers: Pickers;
  readonly #actions: ReadonlyMap<string, OfferedAction>;

  constructor(options: RestOptions, basePath: string, replyProblem: ReplyProblem) {
    this.#options = options;
    this.#basePath = basePath;
    this.#replyProblem = replyProblem;
    this.#identification = new Identification(
      options.document,
      options.authenticate,
      options.security,
      options.allowMissing,
    );
    this.#pickers = new Pickers(options.document, options.schemas);
    this.#actions = new Map(resourceActions(options.resources).map((offered) => [offered.operationId, offered]));
  }

  compile(operation: RestOperation): RouteOptions {
    const { document, schemas, checkResponses } = this.#options;
    const action = this.#actions.get(operation.operationId);
    const offered = successTypes(operation);
    const make = (): Route => ({
      operationId: operation.operationId,
      identify: this.#identification.of(operation),
      rateLimiter: this.#options.rateLimiter,
      isCountedElsewhere: this.#options.forward !== undefined,
      negotiate: offered.length > 0 ? createNegotiation(offered) : undefined,
      readParameters: createParametersReader(document, operation.parameters, schemas, action?.action === 'list'),
      body: createBodyReader(operation.requestBody, schemas),
      headers: { ...(action && cachingHeaders(operation, document)), ...deprecationHeaders(operation) },
      check: checkResponses ? createResponseCheck(operation, schemas) : undefined,
      replyProblem: this.#replyProblem,
      ...(action ? this.#resource(action.key, action.action) : this.#custom(operation)),
    });
    const route = this.#options.forward ? lazily(make) : make();
    const declaresHead = document.paths[operation.path]!.head !== undefined;
    return routeOptions(operation, route, declaresHead);
  }

  #resource(key: string, action: Action): Pick<Route, 'authorize' | 'answer' | 'validatesBody'> {
    const actions = this.#options.engine.resources.get(key);
    if (!actions) throw new Error(`The engine does not serve ${key}`);
    const answer = resourceAnswer(actions, action, this.#basePath);
    return {
      authorize: (caller) => actions.authorize(action, caller),
      validatesBody: false,
      answer: ({ caller, parameters, body, request }) =>
        answer({
          caller,
          params: parameters.path,
          query: parameters.query,
          headers: request.headers,
          input: body?.value,
        }),
    };
  }

  #custom(operation: RestOperation): Pick<Route, 'authorize' | 'answer' | 'validatesBody'> {
    const { forward } = this.#options;
    if (forward)
      return {
        authorize: ({ principal }) => authorize(operation.access, principal),
        validatesBody: true,
        answer: (exchange) => forward(operation, exchange),
      };
    const handler = this.#options.operations?.[operation.operationId] ?? notImplemented;
    return {
      authorize: ({ principal }) => authorize(operation.access, principal),
      validatesBody: true,
      answer: customAnswer(operation, handler, this.#options.engine.perform, this.#pickers),
    };
  }
}

/** Decided at the first request: what is answered elsewhere has been served before, and is asked less and less. */
function lazily(make: () => Route): Route {
  let made: Route | undefined;
  return new Proxy({} as Route, {
    get(_target, name) {
      made ??= make();
      return Reflect.get(made, name);
    },
  });
}

const notImplemented = (): never => {
  throw new ApiError('NOT_IMPLEMENTED', { detail: 'This server has no handler for the operation.' });
};

/** Media types of successful responses, the first one preferred. */
function successTypes({ responses }: RestOperation): readonly string[] {
  const successes = [...responses].filter(([status]) => status.startsWith('2'));
  return [...new Set(successes.flatMap(([, response]) => Object.keys(response.content ?? {})))];
}

/** Methods whose requests Fastify does not read a body of. */
const BODYLESS = new Set(['get', 'head', 'trace']);

function routeOptions({ operationId, path, method }: RestOperation, route: Route, declaresHead: boolean): RouteOptions {
  const handler = routeHandler(route);
  const url = routePathOf(path);
  const common = { url, exposeHeadRoute: false, config: { operationId } as object, handler };
  if (method === 'get') return { ...common, method: declaresHead ? 'GET' : ['GET', 'HEAD'] };
  const shared = { ...common, method: method.toUpperCase() };
  return BODYLESS.has(method) ? shared : { ...shared, onRequest: admissionHook(route) };
}
