import type { FastifyInstance } from 'fastify';
import { MAX_OPEN_VALUES } from '../../descriptor/body-limits.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { OperationDescriptor } from '../../descriptor/rest.ts';
import { MCP_PATH } from '../../descriptor/tools.ts';
import type { Admission } from '../admission/admission.ts';
import { addressOf } from '../async/caller-key.ts';
import type { FailureLog } from '../errors/failure-log.ts';
import { type ReportFailure, reportedFailure } from '../errors/report-failure.ts';
import { type AllowedPaths, allowOf } from '../http/allowed-methods.ts';
import { collectBodies } from '../http/collect-body.ts';
import type { ServePage } from '../http/pages.ts';
import type { Observer } from '../telemetry/observer.ts';
import { type McpParts, McpRoute } from './http-route.ts';
import type { Callable } from './tool-call.ts';
import { createTools } from './tools.ts';

/** How the server is known to hosts. */
export interface McpSettings {
  /** The URL of the server for callers; undefined: none is known before it listens. */
  readonly publicUrl?: string | undefined;
  /** Who signs tokens. */
  readonly issuers?: readonly string[] | undefined;
  /** Origins whose pages may send requests, beside that of `publicUrl`. */
  readonly origins?: McpParts['isOwnOrigin'] | undefined;
}

export interface McpOptions extends Callable, Pick<McpParts, 'readsCurrent' | 'renderProblem' | 'replyProblem'> {
  readonly contract: CompiledContract;
  /** Code of routes. */
  readonly routes: Readonly<Record<string, unknown>> | undefined;
  readonly admission: Admission;
  readonly settings: McpSettings;
  readonly failures: FailureLog;
  readonly reportFailure: ReportFailure | undefined;
  readonly observer: Observer | undefined;
  /** In bytes. */
  readonly bodyLimit: number;
  readonly servePage: ServePage;
  readonly paths: AllowedPaths;
  /** Header fields that every request may have. */
  readonly fields: readonly string[];
}

/** What an envelope has beside the arguments. */
const ENVELOPE_VALUES = 100;
const SERVED = new Set(['POST']);
const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** Serves the tools of a contract over the Model Context Protocol (https://modelcontextprotocol.io/specification). */
export function mountMcp(app: FastifyInstance, options: McpOptions): void {
  const { contract, admission, settings, failures, paths } = options;
  const { info } = contract.document;
  const tools = createTools(contract, options, options.routes);
  const ids = new Set(contract.tools?.tools.map(({ operationId }) => operationId));
  const offered = contract.rest.operations.filter(({ operationId }) => ids.has(operationId));
  const metadata = metadataOf(offered, settings);
  const route = new McpRoute({
    tools,
    openSession: admission.open(tools.accesses),
    server: { name: info.title, version: info.version },
    instructions: contract.tools?.instructions,
    alwaysSignsIn: contract.tools?.alwaysSignsIn === true,
    metadata: metadata && `${settings.publicUrl}${METADATA_PATH}${MCP_PATH}`,
    isOwnOrigin: originCheck(settings),
    maxValues: ENVELOPE_VALUES + mostValues(offered),
    readsCurrent: options.readsCurrent,
    observer: options.observer,
    renderProblem: options.renderProblem,
    replyProblem: options.replyProblem,
    failed: (error, status, request) => {
      failures.tell(error, status, request.log);
      return reportedFailure(error, options.reportFailure);
    },
  });
  const takes = new Map([['POST', [...options.fields, 'Content-Type', ...HEADERS]]]);
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    collectBodies(scope, {
      limit: options.bodyLimit,
      turnOf: (request) => admission.turns.turnOf(request.openedSession ?? addressOf(request)),
    });
    scope.setErrorHandler(route.fail);
    scope.route({ method: 'POST', url: MCP_PATH, onRequest: route.admit, handler: route.serve });
  });
  paths.add({ url: MCP_PATH, served: SERVED, allow: allowOf(SERVED), replyProblem: route.fail, takes });
  if (!metadata) return;
  for (const path of [METADATA_PATH, `${METADATA_PATH}${MCP_PATH}`])
    options.servePage(path, (_request, reply) => reply.type('application/json').send(metadata));
}

const HEADERS = ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'];

/** Who issues tokens for this server, as JSON (RFC 9728, 2); undefined: no issuer is a URL, or nobody knows the server's own. */
function metadataOf(
  offered: readonly OperationDescriptor[],
  { publicUrl, issuers = [] }: McpSettings,
): string | undefined {
  const servers = issuers.filter((issuer) => URL.canParse(issuer));
  if (publicUrl === undefined || servers.length === 0) return undefined;
  const scopes = offered.flatMap(({ access }) =>
    access.anyOf.flatMap(({ schemes }) => schemes.flatMap((scheme) => scheme.scopes)),
  );
  return JSON.stringify({
    resource: `${publicUrl}${MCP_PATH}`,
    authorization_servers: servers,
    scopes_supported: [...new Set(scopes)].sort(),
    bearer_methods_supported: ['header'],
  });
}

function originCheck({ publicUrl, origins }: McpSettings): McpParts['isOwnOrigin'] {
  const own = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  return (origin) => origin === own || origins?.(origin) === true;
}

/** The most values that an input of a tool may have. */
function mostValues(offered: readonly OperationDescriptor[]): number {
  const bodies = offered.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}));
  return Math.max(MAX_OPEN_VALUES, ...bodies.map(({ maxValues }) => maxValues));
}
