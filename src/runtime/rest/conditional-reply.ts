import type { IncomingHttpHeaders } from 'node:http';
import { ResourceReply, type TaggedReply } from './answer.ts';
import { checkIfMatch, isNotModified } from './preconditions.ts';

/** The reply, or 304 if the caller has the current representation (RFC 9110, 13.2.2), which then is not rendered. */
export function unlessCurrent<Reply>(
  etag: string,
  headers: IncomingHttpHeaders,
  render: () => Reply,
): Reply | TaggedReply<304, undefined> {
  checkIfMatch(headers, etag);
  if (!isNotModified(headers, etag)) return render();
  return new ResourceReply(304, { etag }, undefined, () => undefined) as TaggedReply<304, undefined>;
}
