import { curlOf, type WireReply, type WireRequest } from '../proof/request.ts';

/** A reply with its header fields, by lower-case name. */
export interface HttpReply extends WireReply {
  readonly headers: Readonly<Record<string, string>>;
}

/** A request that was sent, and the name of its caller. */
export interface Exchange {
  readonly caller: string;
  readonly request: WireRequest;
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

  async send(request: WireRequest, caller: string): Promise<HttpReply> {
    const { method, url, headers, body } = request;
    const response = await this.#fetch(this.#origin + url, {
      method,
      headers,
      redirect: 'manual',
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    const reply: HttpReply = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text,
      json: jsonOf(text),
    };
    this.exchanges.push({ caller, request });
    return reply;
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

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
