import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** A rendered response. */
export interface Answer {
  readonly status: number;
  /** By lower-case name, including `content-type` if there is a body. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** The body as it is sent. */
  readonly payload?: string | Buffer | Readable | undefined;
  /** It repeats an answer of the past, which another contract may have given: it is sent as it is, unchecked. */
  readonly isReplayed?: boolean;
}

/** Without the charset, Fastify would parse the field of each response to add it. */
export const JSON_TYPE = 'application/json; charset=utf-8';

export function send(reply: FastifyReply, { status, headers, payload }: Answer): void {
  reply.code(status);
  for (const name in headers) reply.header(name, headers[name]);
  reply.send(payload);
}
