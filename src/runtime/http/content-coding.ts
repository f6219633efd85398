import Negotiator from 'negotiator';

export type ContentCoding = 'br' | 'gzip' | 'identity';

/** The smallest first. */
const CODINGS = ['br', 'gzip', 'identity'] as const;

/**
 * The coding that a client likes best; of those that it does not weigh, the smallest (RFC 9110, 12.5.3). Without the field it
 * gets the content as it is.
 */
export function preferredCoding(acceptEncoding: string | string[] | undefined): ContentCoding {
  if (acceptEncoding === undefined) return 'identity';
  const accepted = new Negotiator({ headers: { 'accept-encoding': String(acceptEncoding) } }).encodings([...CODINGS]);
  const best = /;\s*q=/i.test(String(acceptEncoding)) ? accepted[0] : undefined;
  return CODINGS.find((coding) => (best === undefined ? accepted.includes(coding) : coding === best)) ?? 'identity';
}

/** Whether a client prefers gzip to the content as it is. */
export function prefersGzip(acceptEncoding: string | string[] | undefined): boolean {
  if (acceptEncoding === undefined) return false;
  const headers = { 'accept-encoding': String(acceptEncoding) };
  return new Negotiator({ headers }).encodings(['gzip', 'identity'])[0] === 'gzip';
}
