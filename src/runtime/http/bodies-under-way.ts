import { Holdings } from '../async/holdings.ts';
import { Shares } from '../async/shares.ts';

/** What all bodies that do not come with their heads may come to until they are worked on, by what they declare. */
const MAX_BYTES = 64 * 2 ** 20;

/** How many of them one address may send. */
const MAX_OF_ADDRESS = 64;

/**
 * Bounds the bodies that do not come with their heads: slow ones, and those that wait, hold memory and connections, and no
 * places of other requests. No address has more bytes than are left for others.
 */
export class BodiesUnderWay {
  readonly #byAddress = new Holdings(MAX_OF_ADDRESS);
  readonly #bytes = new Shares(MAX_BYTES);

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
