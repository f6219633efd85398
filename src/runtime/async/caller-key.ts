import { plainAddress } from './plain-address.ts';

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

/** The network of an IPv6 address, 64 bits: its owner can use any address in it. */
export function networkOf(given: string): string {
  if (!given.includes(':')) return given;
  const address = plainAddress(given);
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array.from({ length: zeros }, () => '0'), ...right].slice(0, 4).join(':');
}
