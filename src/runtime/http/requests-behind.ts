import type { Socket } from 'node:net';
import { Shares } from '../async/shares.ts';
import { dropInput } from './lingering-close.ts';

/** Requests of one connection that may wait for their answers; clients that pipeline send a few (RFC 9112, 9.3.2). */
const MAX_WAITING = 128;

/** While so many wait, nothing more of the connection is read. */
const HELD_FROM = 16;

/** Requests behind the first ones of their connections that may wait on all connections: each has been parsed, and is kept. */
const MAX_BEHIND = 512;

/** The answer of `onIncoming` that ends parsing: the rest is of another protocol, as after an upgrade (llhttp). */
const NOT_HTTP = 2;

let behind = new Shares(MAX_BEHIND);

/** Places of answered requests. They are free from the next turn on, so that no turn parses more than all of them. */
let left: (() => void)[] = [];

function freeLater(place: () => void): void {
  if (left.push(place) > 1) return;
  setImmediate(() => {
    const places = left;
    left = [];
    for (const free of places) free();
  });
}

/** Declares that this process divides them with others; an address has room for one connection that is not held. */
export function divideBehind(workers: number): void {
  behind = new Shares(Math.max(MAX_BEHIND / workers, 2 * HELD_FROM));
}

/** Node's parser goes on with a chunk after its socket was paused or destroyed. This member decides about each request. */
interface ParsedSocket extends Socket {
  readonly parser?: { onIncoming: ((...request: readonly unknown[]) => number) | null } | null;
}

/** The requests of a connection behind the first that waits. Connections whose clients wait for each answer have none. */
export class RequestsBehind {
  readonly #socket: ParsedSocket;
  readonly #places: (() => void)[] = [];
  #isHeld = false;
  #isEnding = false;
  #hasEnded = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.once('close', () => this.#leave(this.#places.length));
    this.#decideFirst();
  }

  /** Whether bytes of the connection are left that nobody parses. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Counts a request; false, and the last one, if there are too many. `waiting`: with this one. */
  add(waiting: number, address: string): boolean {
    const leave = waiting <= MAX_WAITING && !this.#socket.destroyed ? behind.take(address, 1) : undefined;
    if (!leave) {
      this.end();
      return false;
    }
    this.#places.push(leave);
    if (waiting >= HELD_FROM && !this.#isHeld) {
      this.#isHeld = true;
      // The parser resumes the socket when the head is complete.
      process.nextTick(() => this.#isHeld && this.#socket.pause());
    }
    return true;
  }

  answered(waiting: number): void {
    this.#leave(this.#places.length - Math.max(0, waiting - 1));
    if (!this.#isHeld || waiting >= HELD_FROM || this.#isEnding) return;
    this.#isHeld = false;
    this.#socket.resume();
  }

  /** Nothing more of the connection is parsed, which is to be closed after the answer to its last request. */
  end(): void {
    this.#isEnding = true;
  }

  #leave(count: number): void {
    for (let i = 0; i < count; i++) freeLater(this.#places.pop()!);
  }

  #decideFirst(): void {
    const { parser } = this.#socket;
    const onIncoming = parser?.onIncoming;
    if (!parser || !onIncoming) return;
    parser.onIncoming = (...request) => {
      const given = this.#isEnding ? 0 : onIncoming(...request);
      if (!this.#isEnding) return given;
      this.#hasEnded = true;
      process.nextTick(dropInput, this.#socket);
      return NOT_HTTP;
    };
  }
}
