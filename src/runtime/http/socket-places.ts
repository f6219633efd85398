import { callerKey, type LimitedCaller } from '../async/caller-key.ts';
import { Holdings } from '../async/holdings.ts';

/** A place of an open socket. It is its address's until a caller is known. */
export interface SocketPlace {
  /** Gives the place to a caller; false if that one has too many. */
  moveTo(caller: LimitedCaller): boolean;
  readonly leave: () => void;
}

/** Bounds the sockets that each caller has open. */
export class SocketPlaces {
  readonly #held: Holdings;

  constructor(limit: number) {
    this.#held = new Holdings(limit);
  }

  /** Undefined if the caller has too many. */
  take(caller: LimitedCaller): SocketPlace | undefined {
    const key = callerKey(caller);
    let leave = this.#held.take(key);
    if (!leave) return undefined;
    const moveTo = (other: LimitedCaller): boolean => {
      const otherKey = callerKey(other);
      if (!leave || otherKey === key) return true;
      const leaveOther = this.#held.take(otherKey);
      if (!leaveOther) return false;
      leave();
      leave = leaveOther;
      return true;
    };
    const end = (): void => {
      leave?.();
      leave = undefined;
    };
    return { moveTo, leave: end };
  }
}
