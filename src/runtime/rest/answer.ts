import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** What an operation answers with, rendered. */
export interface Answer {
  readonly status: number;
  /** By lower-case name, `content-type` included when there is a body. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** What is sent, as it stands. */
  readonly payload?: string | Buffer | Readable | undefined;
}

/** Fastify would add the charset, parsing the field anew for each response. */
export const JSON_TYPE = 'application/json; charset=utf-8';

export function send(reply: FastifyReply, { status, headers, payload }: Answer): void {
  reply.code(status);
  for (const name in headers) reply.header(name, headers[name]);
  reply.send(payload);
}
