import { Readable } from 'node:stream';

export const isMultipart = (contentType: string): boolean => /^multipart\//i.test(contentType);

/** A stream of a body that has been received: a slow caller must not hold the transaction of a handler open. */
export const streamOf = (bytes: Buffer): Readable => Readable.from(bytes, { objectMode: false });
