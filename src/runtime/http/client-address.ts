import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import { plainAddress } from '../async/plain-address.ts';

/** Proxies whose `X-Forwarded-*` fields are trusted, as a number of hops, addresses or networks. */
export type TrustedProxies = number | string | readonly string[];

type Trust = (address: string, hop: number) => boolean;

/** Hops are counted from this server: 0 is its direct peer. */
export function trustOf(proxies: TrustedProxies | undefined): Trust {
  if (proxies === undefined) return () => false;
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies;
  const isTrusted = proxyAddress.compile([proxies].flat());
  return (address, hop) => isTrusted(plainAddress(address), hop);
}

/** Finds the caller's address behind trusted proxies, for requests that no route handles. */
export function createClientAddress(proxies: TrustedProxies | undefined): (request: IncomingMessage) => string {
  const trust = trustOf(proxies);
  return (request) => plainAddress(proxyAddress(request, trust));
}
