import type { Target } from './target.ts';
import { Wire } from './wire.ts';

export interface Flood {
  readonly connections: number;
  /** Requests that one connection sends without waiting for the answers before; 1 if left out. */
  readonly pipelined?: number;
  /** Where the connections come from; all from one address if left out. */
  readonly addresses?: number;
}

/** Sends requests over some connections, as fast as they are answered; the statuses. Connections that are closed are opened again. */
export async function flood(
  target: Target,
  requests: readonly Buffer[],
  { connections, pipelined = 1, addresses = 1 }: Flood,
): Promise<readonly number[]> {
  const from = Array.from({ length: addresses }, () => target.address());
  const statuses: number[] = [];
  let next = 0;
  const send = async (address: string): Promise<void> => {
    let wire: Wire | undefined;
    while (next < requests.length) {
      const some = requests.slice(next, next + pipelined);
      next += some.length;
      if (!wire?.isOpen) {
        wire?.close();
        wire = await Wire.open(target.port, address);
      }
      const replies = await Promise.all(some.map((one) => wire!.send(one)));
      statuses.push(...replies.map(({ status }) => status));
    }
    wire?.close();
  };
  await Promise.all(Array.from({ length: connections }, (_, i) => send(from[i % addresses]!)));
  return statuses;
}
