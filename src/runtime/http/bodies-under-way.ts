import { Holdings } from '../async/holdings.ts';
import { Shares } from '../async/shares.ts';

/** What all bodies that do not come with their heads may come to until they are worked on, by what they declare. */
const MAX_BYTES = 64 * 2 ** 20;

/** How many of them one address may send. */
const MAX_OF_ADDRESS = 64;

/** What this server may have of them. */
export interface BodyLimits {
  /** Servers that divide both among them. */
  readonly workers: number;
  /** The largest body, for which there is room in any case. */
  readonly maxBodyBytes: number;
}

/**
 * Bounds the bodies that do not come with their heads: slow ones, and those that wait, hold memory and connections, and no
 * places of other requests. No address has more bytes than are left for others.
 */
export class BodiesUnderWay {
  /** The largest body that any operation takes. */
  readonly maxBodyBytes: number;
  readonly #byAddress: Holdings;
  readonly #bytes: Shares;

  constructor({ workers, maxBodyBytes }: BodyLimits) {
    this.maxBodyBytes = maxBodyBytes;
    this.#byAddress = new Holdings(Math.ceil(MAX_OF_ADDRESS / workers));
    this.#bytes = new Shares(Math.max(MAX_BYTES / workers, Math.min(maxBodyBytes, MAX_BYTES)));
  }

  /** Counts a body until the returned function is called; undefined if there are too many. */
  begin(address: string, bytes: number): (() => void) | undefined {
    const leave = this.#byAddress.take(address);
    const giveBack = leave && this.#bytes.take(address, bytes);
    if (giveBack)
      return () => {
        leave();
        giveBack();
      };
    leave?.();
    return undefined;
  }
}
