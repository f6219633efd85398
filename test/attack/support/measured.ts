import { type Attack, nameOf } from './attack.ts';
import type { AttackedServer } from './attacked-server.ts';
import { contracts } from './contracts.ts';
import type { AttackMessage, ProbeMessage, Seen } from './messages.ts';
import { Side } from './side.ts';
import type { Outcome, Tally } from './tally.ts';
import { nextNetwork } from './target.ts';

/** One run of an attack. */
export interface Measured {
  /** Milliseconds: the longest during the attack less the longest in an equal run without it. */
  readonly waitMs: number;
  readonly livezMs: number;
  readonly readyzMs: number;
  readonly tookMs: number;
  readonly outcome: Outcome;
  /** Of the reads by key. */
  readonly statuses: Tally;
}

const LEAST_MS = 1_000;
const MOST_MS = 10_000;

/** The processes beside the server. */
export class Sides {
  readonly #probe = new Side('probe.ts');
  readonly #attackers = new Side('attackers.ts');

  async measure(server: AttackedServer, attack: Attack): Promise<Measured> {
    const { port, rows } = server;
    const watched = { port, rows, path: contracts[attack.contract].read };
    const watching = this.#probe.ask<Seen>({ ...watched, network: nextNetwork() } satisfies ProbeMessage);
    const begunMs = performance.now();
    const outcome = await this.run(server, attack);
    const tookMs = performance.now() - begunMs;
    this.#probe.tell({ end: true });
    const during = await watching;
    const forMs = Math.min(MOST_MS, Math.max(LEAST_MS, tookMs));
    const alone = await this.#probe.ask<Seen>({ ...watched, network: nextNetwork(), forMs } satisfies ProbeMessage);
    const more = (kind: 'reads' | 'livez' | 'readyz'): number => during[kind] - alone[kind];
    return {
      waitMs: more('reads'),
      livezMs: more('livez'),
      readyzMs: more('readyz'),
      tookMs,
      outcome,
      statuses: during.statuses,
    };
  }

  /** Without anybody who watches. */
  run({ port, rows }: AttackedServer, attack: Attack): Promise<Outcome> {
    return this.#attackers.ask({ port, rows, network: nextNetwork(), attack: nameOf(attack) } satisfies AttackMessage);
  }

  end(): void {
    this.#probe.end();
    this.#attackers.end();
  }
}
