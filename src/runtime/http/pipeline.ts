import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { lingerUnlessWhole } from './lingering-close.ts';
import { RequestsBehind } from './requests-behind.ts';

/** The requests of one connection, which are answered in their order. */
class Pipeline {
  /** Large answers that the client has not taken yet. */
  unsent = 0;
  /** The last request with a body, which may still be arriving. */
  arriving: IncomingMessage | undefined;
  readonly #socket: Socket;
  #waiting = 0;
  #count = 0;
  #behind: RequestsBehind | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    // Node adds these members when it first needs them: in one order, all sockets have one shape, which V8 reads faster.
    void socket.setTimeout(0).remoteAddress;
    lingerUnlessWhole(socket, () => this.arriving?.complete !== false && !this.#behind?.hasEnded);
  }

  /** Whether no other request came before the last one. */
  get isFirst(): boolean {
    return this.#count === 1;
  }

  /** Counts a request; false if too many wait. `address`: whose it is. */
  add(address: () => string): boolean {
    this.#count++;
    if (++this.#waiting === 1) return true;
    this.#behind ??= new RequestsBehind(this.#socket);
    return this.#behind.add(this.#waiting, address());
  }

  /** To be called when the client has been sent the answer to a request. */
  answered(): void {
    this.#waiting--;
    this.#behind?.answered(this.#waiting);
  }

  /** Nothing more of the connection is parsed, which is to be closed after the answer to its last request. */
  end(): void {
    this.#behind ??= new RequestsBehind(this.#socket);
    this.#behind.end();
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
