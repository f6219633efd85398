import Negotiator from 'negotiator';

/** Whether a client prefers gzip to the content as it is (RFC 9110, 12.5.3). Without the field it gets the content as it is. */
export function prefersGzip(acceptEncoding: string | string[] | undefined): boolean {
  if (acceptEncoding === undefined) return false;
  const headers = { 'accept-encoding': String(acceptEncoding) };
  return new Negotiator({ headers }).encodings(['gzip', 'identity'])[0] === 'gzip';
}
