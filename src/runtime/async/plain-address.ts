import { isIPv6, SocketAddress } from 'node:net';

/** An address in brackets or with a port, as some proxies write it: `203.0.113.2:5000`, `[2001:db8::1]:443`. */
const WITH_PORT = /^"?(?:\[([^\]]*)\]|(\d+(?:\.\d+){3}))(?::\d*)?"?$/;
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** The one form of an address, however a proxy writes it: without brackets, port and zone, and as IPv4 if it is mapped. */
export function plainAddress(text: string): string {
  if (!text.includes(':')) return text;
  const [, mapped] = MAPPED.exec(text) ?? [];
  if (mapped !== undefined) return mapped;
  const [, inBrackets, ipv4] = WITH_PORT.exec(text) ?? [];
  const [address = ''] = (ipv4 ?? inBrackets ?? text).split('%');
  if (!isIPv6(address)) return address;
  const plain = new SocketAddress({ address, family: 'ipv6' }).address;
  return MAPPED.exec(plain)?.[1] ?? plain;
}
