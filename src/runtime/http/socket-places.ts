import { callerKey, type LimitedCaller } from './caller-key.ts';

/** A place of an open socket. It is its address's until a caller is known. */
export interface SocketPlace {
  /** Gives the place to a caller; false if that one has too many. */
  moveTo(caller: LimitedCaller): boolean;
  readonly leave: () => void;
}

/** Bounds the sockets that each caller has open. */
export class SocketPlaces {
  readonly #limit: number;
  readonly #taken = new Map<string, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Undefined if the caller has too many. */
  take(caller: LimitedCaller): SocketPlace | undefined {
    let held: string | undefined = callerKey(caller);
    if (!this.#add(held)) return undefined;
    const leave = (): void => {
      if (held !== undefined) this.#remove(held);
      held = undefined;
    };
    const moveTo = (other: LimitedCaller): boolean => {
      const key = callerKey(other);
      if (held === undefined || held === key) return true;
      if (!this.#add(key)) return false;
      this.#remove(held);
      held = key;
      return true;
    };
    return { moveTo, leave };
  }

  #add(key: string): boolean {
    const count = this.#taken.get(key) ?? 0;
    if (count >= this.#limit) return false;
    this.#taken.set(key, count + 1);
    return true;
  }

  #remove(key: string): void {
    const left = this.#taken.get(key)! - 1;
    if (left > 0) this.#taken.set(key, left);
    else this.#taken.delete(key);
  }
}
