import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { lingerUnlessWhole } from './lingering-close.ts';

/** Requests of one connection that may wait for their answers; clients that pipeline send a few (RFC 9112, 9.3.2). */
const MAX_WAITING = 128;

/** While so many wait, nothing more of the connection is read. */
const HELD_FROM = 16;

/** The requests of one connection, which are answered in their order. */
class Pipeline {
  /** Large answers that the client has not taken yet. */
  unsent = 0;
  /** The last request with a body, which may still be arriving. */
  arriving: IncomingMessage | undefined;
  readonly #socket: Socket;
  #waiting = 0;
  #count = 0;
  #isHeld = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    // Node adds these members when it first needs them: in one order, all sockets have one shape, which V8 reads faster.
    void socket.setTimeout(0).remoteAddress;
    lingerUnlessWhole(socket, () => this.arriving?.complete !== false);
  }

  /** Whether no other request came before the last one. */
  get isFirst(): boolean {
    return this.#count === 1;
  }

  /** Counts a request: how many too many wait now. */
  add(): number {
    this.#waiting++;
    this.#count++;
    if (this.#waiting >= HELD_FROM) {
      this.#isHeld = true;
      this.#socket.pause();
    }
    return Math.max(0, this.#waiting - MAX_WAITING);
  }

  /** To be called when the client has been sent the answer to a request. */
  answered(): void {
    this.#waiting--;
    if (!this.#isHeld || this.#waiting >= HELD_FROM) return;
    this.#isHeld = false;
    this.#socket.resume();
  }
}

/** Finds the pipeline of a connection. */
export function pipelinesOf(): (socket: Socket) => Pipeline {
  const known = new WeakMap<Socket, Pipeline>();
  return (socket) => {
    const found = known.get(socket);
    if (found) return found;
    const made = new Pipeline(socket);
    known.set(socket, made);
    return made;
  };
}

export type { Pipeline };
