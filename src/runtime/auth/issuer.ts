/** Whoever can change keys in transit can forge tokens: plain HTTP is only trusted on this machine. */
export const isTrustworthy = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);

/** Whether an issuer's metadata can be found by its name. */
export function isDiscoverable(issuer: string): boolean {
  const url = URL.parse(issuer);
  return url !== null && isTrustworthy(url) && url.username === '' && url.search === '' && url.hash === '';
}
