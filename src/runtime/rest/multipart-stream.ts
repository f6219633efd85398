import { Readable } from 'node:stream';

const bytesOf = new WeakMap<Readable, Buffer>();

export const isMultipart = (contentType: string): boolean => /^multipart\//i.test(contentType);

/** A stream of a body that has been received: a slow caller must not hold the transaction of a handler open. */
export function streamOf(bytes: Buffer): Readable {
  const stream = Readable.from(bytes, { objectMode: false });
  bytesOf.set(stream, bytes);
  return stream;
}

/** The request for one run of a handler, which reads the body from its start: a conflict runs a handler again. */
export function rewound<Request>(request: Request): Request {
  const { body } = request as { readonly body?: unknown };
  const bytes = body instanceof Readable ? bytesOf.get(body) : undefined;
  return bytes ? { ...request, body: streamOf(bytes) } : request;
}
