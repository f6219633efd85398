import type { IncomingHttpHeaders } from 'node:http';
import { isPlainObject } from '../../descriptor/plain-object.ts';
import { shortened } from '../errors/bounded.ts';

// JSON-RPC 2.0 as the Model Context Protocol uses it, in both of its eras: since 2026-07-28 each request says its version itself, and
// nothing is opened; before, `initialize` did.

/** The revision whose requests stand alone. */
export const MODERN = '2026-07-28';
/** Revisions that open with `initialize`, the newest first. */
const LEGACY = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

const META = 'io.modelcontextprotocol/';
const VERSION_META = `${META}protocolVersion`;
const CAPABILITIES_META = `${META}clientCapabilities`;
export const SERVER_META = `${META}serverInfo`;

/** Codes of JSON-RPC 2.0, 5.1, and of the revision 2026-07-28. */
const CODES = {
  parse: -32_700,
  request: -32_600,
  method: -32_601,
  params: -32_602,
  header: -32_020,
  version: -32_022,
} as const;

type Params = Readonly<Record<string, unknown>>;

/** A request that is to be answered. */
export interface RpcRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params: Params;
  /** It says its version itself. */
  readonly isModern: boolean;
}

/** A message that the protocol does not have, or refuses. */
export class RpcError extends Error {
  readonly code: number;
  /** Status over HTTP. */
  readonly status: number;
  readonly data: unknown;
  /** Null: it is not known. */
  readonly id: string | number | null;

  constructor(
    kind: keyof typeof CODES,
    message: string,
    id: RpcError['id'],
    more: { status?: number; data?: unknown } = {},
  ) {
    super(message);
    this.code = CODES[kind];
    this.status = more.status ?? 400;
    this.data = more.data;
    this.id = id;
  }
}

/**
 * The request in a message, whose header fields say the same; undefined for a notification, or an answer, which nobody waits for.
 * Throws `RpcError`.
 */
export function readMessage(message: unknown, headers: IncomingHttpHeaders): RpcRequest | undefined {
  if (!isPlainObject(message) || message['jsonrpc'] !== '2.0')
    throw new RpcError('request', 'The body must be one message of JSON-RPC 2.0; batches are not supported.', null);
  const { id, method, params = {} } = message;
  const known = typeof id === 'string' || Number.isInteger(id) ? (id as string | number) : null;
  if (method === undefined && ('result' in message || 'error' in message)) return undefined;
  if (typeof method !== 'string') throw new RpcError('request', '`method` must be a text.', known);
  if (!isPlainObject(params)) throw new RpcError('params', '`params` must be an object.', known);
  if (id === undefined) return undefined;
  if (known === null) throw new RpcError('request', '`id` must be a text or an integer.', null);
  const isModern = checkVersion({ id: known, method, params }, headers);
  return { id: known, method, params, isModern };
}

/** Whether a request says its version itself. Throws `RpcError` for one that is not known, or that the header does not repeat. */
function checkVersion({ id, method, params }: Omit<RpcRequest, 'isModern'>, headers: IncomingHttpHeaders): boolean {
  const meta = isPlainObject(params['_meta']) ? params['_meta'] : {};
  const field = headers['mcp-protocol-version'];
  const version = meta[VERSION_META];
  if (version === undefined) {
    if (field === MODERN) throw new RpcError('params', `\`params._meta["${VERSION_META}"]\` is missing.`, id);
    if (field === undefined || (LEGACY as readonly unknown[]).includes(field)) return false;
    throw new RpcError(
      'request',
      `The version ${brief(field)} is not supported: ${[MODERN, ...LEGACY].join(', ')} are.`,
      id,
    );
  }
  checkField(headers, 'MCP-Protocol-Version', version, id);
  if (version !== MODERN) {
    const data = { supported: [MODERN], requested: brief(version) };
    throw new RpcError('version', `The version is not supported: ${MODERN} is.`, id, { data });
  }
  if (!isPlainObject(meta[CAPABILITIES_META]))
    throw new RpcError('params', `\`params._meta["${CAPABILITIES_META}"]\` must be an object.`, id);
  checkField(headers, 'Mcp-Method', method, id);
  if (method === 'tools/call') checkField(headers, 'Mcp-Name', params['name'], id);
  return true;
}

/** What a caller has named, as far as it is repeated. */
export const brief = (name: unknown): string => shortened(typeof name === 'string' ? name : typeof name);

/** What intermediaries read of the header is what is executed. */
function checkField(headers: IncomingHttpHeaders, name: string, value: unknown, id: RpcRequest['id']): void {
  const field = headers[name.toLowerCase()];
  if (typeof field === 'string' && decoded(field) === value) return;
  throw new RpcError('header', `The header field ${name} must be as in the body.`, id);
}

/** A field that no header may contain as it is stands there in Base64. */
function decoded(field: string): string {
  const [, encoded] = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(field) ?? [];
  return encoded === undefined ? field : Buffer.from(encoded, 'base64').toString('utf8');
}

/** The version that a client opens with, if it is known; else the newest that opens so. */
export const negotiated = (asked: unknown): string => LEGACY.find((version) => version === asked) ?? LEGACY[0];

/** A result as a message. `json` is its members as JSON, without braces. */
export const resultText = ({ id, isModern }: RpcRequest, json: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${json}${isModern ? `${json === '' ? '' : ','}"resultType":"complete"` : ''}}}`;

/** An error as a message. */
export function errorText({ id, code, message, data }: RpcError): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } });
}

/** An unknown method: 404 in the era without sessions (Streamable HTTP, 2026-07-28). */
export const unknownMethod = ({ id, method, isModern }: RpcRequest): RpcError =>
  new RpcError('method', `Unknown method: ${brief(method)}`, id, { status: isModern ? 404 : 200 });

/** What is wrong with the parameters of a method; within a known method, HTTP succeeds. */
export const wrongParams = ({ id }: RpcRequest, message: string): RpcError =>
  new RpcError('params', message, id, { status: 200 });

/** A body that is not JSON. */
export const notJson = (message: string): RpcError => new RpcError('parse', message, null);
