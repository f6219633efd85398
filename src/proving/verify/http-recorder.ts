import { setTimeout as after } from 'node:timers/promises';
import { curlOf, jsonOf, type WireReply, type WireRequest } from '../harness/request.ts';

/** A reply with its header fields, by lower-case name. */
export interface HttpReply extends WireReply {
  readonly headers: Readonly<Record<string, string>>;
}

/** A request that was sent, and the name of its caller. */
export interface Exchange {
  readonly caller: string;
  readonly request: WireRequest;
}

const MAX_RETRIES = 3;
const MAX_WAIT_S = 60;

function isLater({ status, headers }: HttpReply): boolean {
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  return (status === 429 || status === 503) && seconds >= 0 && seconds <= MAX_WAIT_S;
}

/** Sends requests to one server and records them. */
export class HttpRecorder {
  readonly #origin: string;
  readonly #fetch: typeof fetch;
  readonly exchanges: Exchange[] = [];

  /** `origin`: without a trailing slash. */
  constructor(origin: string, send: typeof fetch) {
    this.#origin = origin;
    this.#fetch = send;
  }

  /** Where the server asks to come back later, by 429 or 503 with `Retry-After`, the request is sent again then. */
  async send(request: WireRequest, caller: string): Promise<HttpReply> {
    let reply = await this.#once(request);
    for (let i = 0; i < MAX_RETRIES && isLater(reply); i += 1) {
      await after(Number(reply.headers['retry-after']) * 1000);
      reply = await this.#once(request);
    }
    this.exchanges.push({ caller, request });
    return reply;
  }

  async #once({ method, url, headers, body }: WireRequest): Promise<HttpReply> {
    const response = await this.#fetch(this.#origin + url, {
      method,
      headers,
      redirect: 'manual',
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text,
      json: jsonOf(text),
    };
  }

  /** The recorded requests as curl command lines; tokens are shell variables (`$OWNER`). */
  curl(): readonly string[] {
    return this.exchanges.map(({ request, caller }) => lineOf(this.#origin, request, caller));
  }
}

/** The command line names a shell variable, so that no token is printed. */
function lineOf(origin: string, request: WireRequest, caller: string): string {
  const { authorization, ...headers } = request.headers;
  if (authorization === undefined) return curlOf(request, origin);
  const line = curlOf({ ...request, headers: { ...headers, authorization: MARK } }, origin);
  return line.replace(`${MARK}'`, `Bearer '"$${caller.toUpperCase()}"`);
}

const MARK = '%token%';
