import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';

/** Proxies whose `X-Forwarded-*` fields count, as a number of hops, addresses or networks. */
export type TrustedProxies = number | string | readonly string[];

type Trust = (address: string, hop: number) => boolean;

/** Hops are counted from this server, 0 being its peer. */
export function trustOf(proxies: TrustedProxies | undefined): Trust {
  if (proxies === undefined) return () => false;
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies;
  return proxyAddress.compile([proxies].flat());
}

/** Whose request it is, seen through the proxies that are trusted; of requests that no route ever sees. */
export function createClientAddress(proxies: TrustedProxies | undefined): (request: IncomingMessage) => string {
  const trust = trustOf(proxies);
  return (request) => proxyAddress(request, trust);
}
