import type { FastifyInstance } from 'fastify';
import { shellText } from '../../tools/shell-text.ts';

/** An HTTP request, in the form in which it is injected and reported. */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface WireReply {
  readonly status: number;
  readonly text: string;
  /** The body as JSON; undefined when it is not valid JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a server may answer anything
  readonly json: any;
}

/** What a server in this process answers. */
export async function injected(app: FastifyInstance, { body, ...request }: WireRequest): Promise<WireReply> {
  const reply = await app.inject({ ...request, ...(body !== undefined && { payload: body }) });
  return { status: reply.statusCode, text: reply.body, json: jsonOf(reply.body) };
}

/** A text as JSON; undefined when it is not valid JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The request as a curl command line. */
export function curlOf({ method, url, headers, body }: WireRequest, host = 'http://127.0.0.1:3000'): string {
  const fields = Object.entries(headers).map(([name, value]) => `-H ${shellText(`${name}: ${value}`)}`);
  const payload = body === undefined ? [] : [`--data-binary ${shellText(body)}`];
  return ['curl', `-X ${method}`, shellText(`${host}${url}`), ...fields, ...payload].join(' ');
}
