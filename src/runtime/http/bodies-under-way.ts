import type { IncomingMessage } from 'node:http';
import { MAX_BODIES_BYTES } from '../../descriptor/body-limits.ts';
import { Holdings } from '../async/holdings.ts';
import { Shares } from '../async/shares.ts';

/** How many of them one address may send. */
const MAX_OF_ADDRESS = 64;

/** What this server may have of them. */
export interface BodyLimits {
  /** Servers that divide both among them. */
  readonly workers: number;
  /** The largest body of operations that set no limit, for which there is room in any case. */
  readonly maxBodyBytes: number;
}

/**
 * Bounds the bodies that do not come with their heads: slow ones, and those that wait, hold memory and connections, and no
 * places of other requests. No address has more bytes than are left for others.
 */
export class BodiesUnderWay {
  readonly #maxBodyBytes: number;
  readonly #byAddress: Holdings;
  readonly #bytes: Shares;

  constructor({ workers, maxBodyBytes }: BodyLimits) {
    this.#maxBodyBytes = maxBodyBytes;
    this.#byAddress = new Holdings(Math.ceil(MAX_OF_ADDRESS / workers));
    this.#bytes = new Shares(Math.max(MAX_BODIES_BYTES / workers, Math.min(maxBodyBytes, MAX_BODIES_BYTES)));
  }

  /** How many bytes of a body count before it is known which operation it is for. */
  bytesOf({ headers }: IncomingMessage): number {
    return Math.min(Number(headers['content-length'] ?? this.#maxBodyBytes), this.#maxBodyBytes);
  }

  /** Counts a body; undefined if there are too many. */
  begin(address: string, bytes: number): BodyRoom | undefined {
    const leave = this.#byAddress.take(address);
    const room = leave && BodyRoom.of(bytes, (count) => this.#bytes.take(address, count), leave);
    if (!room) leave?.();
    return room;
  }
}

type Take = (bytes: number) => (() => void) | undefined;

/** The bytes that count for one body. */
export class BodyRoom {
  readonly #take: Take;
  readonly #leavePlace: () => void;
  #bytes: number;
  #giveBack: () => void;
  #isWidened = false;

  /** Undefined if others leave too little. */
  static of(bytes: number, take: Take, leavePlace: () => void): BodyRoom | undefined {
    const giveBack = take(bytes);
    return giveBack && new BodyRoom(bytes, take, giveBack, leavePlace);
  }

  private constructor(bytes: number, take: Take, giveBack: () => void, leavePlace: () => void) {
    this.#bytes = bytes;
    this.#take = take;
    this.#giveBack = giveBack;
    this.#leavePlace = leavePlace;
  }

  /** Makes room for so many bytes; false if others leave too little. */
  widen(bytes: number): boolean {
    if (bytes <= this.#bytes) return true;
    this.#giveBack();
    const giveBack = this.#take(bytes);
    if (!giveBack) return false;
    this.#giveBack = giveBack;
    this.#bytes = bytes;
    this.#isWidened = true;
    return true;
  }

  /** Called when the body is about to be worked on. One that is larger than those of other operations counts until it is answered. */
  worked(): void {
    if (!this.#isWidened) this.leave();
  }

  readonly leave = (): void => {
    this.#giveBack();
    this.#leavePlace();
  };
}
