import type { RouteOptions } from 'fastify';
import { isRead, type OpenApiDocument } from '../../descriptor/document.ts';
import type { ErrorCatalogue } from '../../descriptor/error.ts';
import { isHeaderPattern } from '../../descriptor/implied-patterns.ts';
import { once } from '../../descriptor/once.ts';
import type { OperationDescriptor, ParameterDescriptor, RestDescriptor } from '../../descriptor/rest.ts';
import type { Admission } from '../admission/admission.ts';
import type { AllowedPaths } from '../http/allowed-methods.ts';
import { createNegotiation } from '../http/negotiation.ts';
import type { ReplyProblem } from '../http/problem-reply.ts';
import { Pickers } from '../schema/pick.ts';
import type { SchemaRegistry } from '../schema/schema-registry.ts';
import { cachingHeaders } from './caching-headers.ts';
import { deprecationHeaders } from './deprecation.ts';
import { admissionHook, always, type Endpoint, routeHandler } from './endpoint.ts';
import { createParametersReader } from './parameters/parameters-reader.ts';
import { routePathOf } from './parameters/route-path.ts';
import { createReplyRenderer } from './reply-renderer.ts';
import { createBodyReader } from './request-body.ts';
import { createResponseCheck } from './response-check.ts';
import type { Route } from './routes.ts';

/** What the operations of one document are served with. */
export interface RouteParts {
  readonly document: OpenApiDocument;
  readonly rest: RestDescriptor;
  readonly schemas: SchemaRegistry;
  readonly admission: Admission;
  /** Validate every response against the contract. A deviation is logged and answered as `INTERNAL_ERROR`. */
  readonly checkResponses?: boolean | undefined;
  /** The codes of the document. */
  readonly errors: ErrorCatalogue;
  readonly replyProblem: ReplyProblem;
  /** Limits of bodies above so many bytes do not hold. */
  readonly bodyShare?: number | undefined;
  /** Hooks of the app look at answers, or change them. */
  readonly hasHooks?: boolean | undefined;
  /** Gets the paths of the document. */
  readonly paths: AllowedPaths;
}

/** Compiles operations to routes at boot. */
export class RouteCompiler {
  readonly #parts: RouteParts;
  readonly #pickers: Pickers;
  readonly #headPaths: ReadonlySet<string>;
  readonly #admitTo: ReturnType<Admission['to']>;

  constructor(parts: RouteParts) {
    this.#parts = parts;
    this.#admitTo = parts.admission.to(parts.rest.operations);
    const heads = parts.rest.operations.filter(({ method }) => method === 'head');
    this.#headPaths = new Set(heads.map(({ path }) => path));
    this.#pickers = new Pickers(parts.document, parts.schemas);
  }

  /** Throws `HandlerError` if the security scheme of the operation has no handler. */
  compile(operation: OperationDescriptor, route: Route): RouteOptions {
    // Operations of an old version have been served before and are used less and less: they are compiled when first used.
    const endpoint = route.isForwarded
      ? once(() => this.#endpoint(operation, route))
      : always(this.#endpoint(operation, route));
    const { path } = operation;
    return routeOptions(operation, endpoint, this.#headPaths.has(path));
  }

  #endpoint(operation: OperationDescriptor, route: Route): Endpoint {
    const { rest, schemas, admission, checkResponses, errors, replyProblem, bodyShare, hasHooks } = this.#parts;
    const { method, deprecation } = operation;
    const offered = successTypes(operation);
    const headers = {
      ...(route.action && cachingHeaders(operation, rest)),
      ...(deprecation && deprecationHeaders(deprecation)),
    };
    const check =
      checkResponses && !route.hasRowsOfOthers ? createResponseCheck(operation, schemas, errors) : undefined;
    const isRendered = route.isForwarded || (route.action && !route.isHandWritten);
    return {
      isSafe: isRead(method),
      admit: this.#admitTo({ operation, access: route.access, isCountedElsewhere: route.isForwarded === true }),
      turns: admission.turns,
      negotiate: offered.length > 0 ? createNegotiation(offered) : undefined,
      readParameters: createParametersReader(parametersOf(operation, route), schemas, route.action?.action === 'list'),
      body:
        BODYLESS.has(method) && !operation.requestBody
          ? undefined
          : createBodyReader(operation.requestBody, schemas, { defaults: route.isOperation, bodyShare }),
      validatesBody: !route.action || route.isHandWritten === true,
      fields: {
        headers,
        flat: hasHooks ? undefined : Object.entries(headers).flat(),
        isCounted: admission.isCounting,
      },
      answer: route.answer as Endpoint['answer'],
      render: isRendered ? undefined : createReplyRenderer(operation, this.#pickers),
      checkError: check?.error,
      checkAnswer: route.isOperation && !route.isHandWritten ? undefined : check?.answer,
      replyProblem,
    };
  }
}

/** An action checks the header fields that it reads, with better words than their patterns have. */
function parametersOf(
  { parameters }: OperationDescriptor,
  { action, isHandWritten }: Route,
): readonly ParameterDescriptor[] {
  if (!action || isHandWritten) return parameters;
  return parameters.map((parameter) => {
    const schema = parameter.in === 'header' ? parameter.schema : undefined;
    if (typeof schema !== 'object' || !isHeaderPattern(schema['pattern'])) return parameter;
    const { pattern: _, ...rest } = schema;
    return { ...parameter, schema: rest };
  });
}

/** Media types of successful responses, the first one preferred. */
function successTypes({ responses }: OperationDescriptor): readonly string[] {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return [...new Set(successes.flatMap(([, content]) => Object.keys(content)))];
}

/** Methods whose requests Fastify does not read a body of. */
const BODYLESS = new Set(['get', 'head', 'trace']);

function routeOptions(
  { operationId, path, method }: OperationDescriptor,
  endpoint: () => Endpoint,
  declaresHead: boolean,
): RouteOptions {
  const handler = routeHandler(endpoint);
  const url = routePathOf(path);
  const common = { url, exposeHeadRoute: false, config: { operationId } as object, handler };
  if (method === 'get') return { ...common, method: declaresHead ? 'GET' : ['GET', 'HEAD'] };
  const shared = { ...common, method: method.toUpperCase() };
  return BODYLESS.has(method) ? shared : { ...shared, onRequest: admissionHook(endpoint) };
}
