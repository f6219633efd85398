import { tokenOf } from '../../support/instance.ts';
import type { Caller } from '../../support/storefront.ts';
import type { TargetMessage } from './messages.ts';

/** A server under attack, with callers that nobody has been before. */
export class Target {
  readonly port: number;
  readonly rows: number;
  readonly #network: string;
  #addresses = 0;
  #subjects = 0;

  constructor({ port, network, rows }: TargetMessage) {
    this.port = port;
    this.rows = rows;
    this.#network = network;
  }

  /** Another address of this machine. */
  address(): string {
    const [a, b] = this.#network.split('.').map(Number) as [number, number];
    const n = this.#addresses++;
    // A network has 254 addresses, and further ones beside those of all runs.
    return `127.${a + 100 * Math.floor(n / 254)}.${b}.${1 + (n % 254)}`;
  }

  /** A token of another subject. */
  token(scope: Caller['scope']): string {
    const [a, b] = this.#network.split('.').map((part) => Number(part).toString(16).padStart(4, '0'));
    const last = (++this.#subjects).toString(16).padStart(4, '0');
    return tokenOf({ subject: `01941f29-7c00-7a10-8c57-${a}${b}${last}`, scope });
  }
}

let networks = 0;

/** A network that no run has used. */
export function nextNetwork(): string {
  const n = networks++;
  return `${1 + Math.floor(n / 254)}.${1 + (n % 254)}`;
}
