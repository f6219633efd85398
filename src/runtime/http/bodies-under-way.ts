/** What all bodies of which a part is still missing may come to, by what they declare. */
const MAX_BYTES = 64 * 2 ** 20;

/** How many of them one address may send. */
const MAX_OF_ADDRESS = 64;

/**
 * Bounds the bodies of which a part is still missing: slow ones hold memory and connections, and no places of other requests.
 */
export class BodiesUnderWay {
  readonly #byAddress = new Map<string, number>();
  #bytes = 0;

  /** Counts a body until the returned function is called; undefined if there are too many. */
  begin(address: string, bytes: number): (() => void) | undefined {
    const count = this.#byAddress.get(address) ?? 0;
    if (count >= MAX_OF_ADDRESS || this.#bytes + bytes > MAX_BYTES) return undefined;
    this.#byAddress.set(address, count + 1);
    this.#bytes += bytes;
    let isUnderWay = true;
    return () => {
      if (!isUnderWay) return;
      isUnderWay = false;
      const left = this.#byAddress.get(address)! - 1;
      if (left > 0) this.#byAddress.set(address, left);
      else this.#byAddress.delete(address);
      this.#bytes -= bytes;
    };
  }
}
