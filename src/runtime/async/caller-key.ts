import { isIPv6, SocketAddress } from 'node:net';

/** A caller by its subject, or if anonymous by its address. */
export interface LimitedCaller {
  readonly subject: string | undefined;
  readonly address: string;
}

/** What limits count a caller by. */
export const callerKey = ({ subject, address }: LimitedCaller): string =>
  subject === undefined ? `address ${networkOf(address)}` : `subject ${subject}`;

/** Whose turn a request has before anybody knows who sent it. */
export const addressOf = ({ ip }: { readonly ip: string }): { readonly turn: string } => ({
  turn: callerKey({ subject: undefined, address: ip }),
});

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

/** The network of an IPv6 address, 64 bits: its owner can use any address in it. */
export function networkOf(given: string): string {
  const address = plainAddress(given);
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array.from({ length: zeros }, () => '0'), ...right].slice(0, 4).join(':');
}
