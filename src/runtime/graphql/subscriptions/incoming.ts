import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import type { Admission } from '../../admission/admission.ts';
import type { Shares } from '../../async/shares.ts';
import type { TurnTaker } from '../../async/turns.ts';
import { MAX_MESSAGE_BYTES } from '../endpoint/transport.ts';

/** https://www.iana.org/assignments/websocket */
export const TRY_AGAIN_LATER = 1013;

/** Nothing more is read of a socket while so many of its messages wait. */
const MAX_WAITING = 16;

/** Bytes of a message that may come without the rest. */
const FEW_BYTES = 16_384;

/** Bytes of a control frame before what it says (RFC 6455, 5.2 and 5.5). */
const CONTROL_HEAD = 6;

/** Time that a client gets to learn why its socket is closed. */
const CLOSE_MS = 1_000;

export interface Receiving {
  readonly turns: Admission['turns'];
  readonly shares: Shares;
  readonly caller: () => TurnTaker;
}

/** The messages of one socket, each in a turn of its caller, in their order. */
export class Incoming {
  readonly #socket: WebSocket;
  readonly #receiving: Receiving;
  #waiting = 0;
  /** Bytes since the last whole message. */
  #begun = 0;
  /** Gives back what is held for a message that is not whole. */
  #giveBack: (() => void) | undefined;

  constructor(socket: WebSocket, connection: Duplex, receiving: Receiving) {
    this.#socket = socket;
    this.#receiving = receiving;
    connection.on('data', ({ length }: Buffer) => this.#grow(length));
    // They come between the parts of a message, too.
    for (const control of ['ping', 'pong'] as const)
      socket.on(control, ({ length }) => this.#leaveOut(CONTROL_HEAD + length));
    socket.once('close', () => this.#end());
  }

  onMessage(receive: (data: RawData, isBinary: boolean) => void): void {
    this.#socket.on('message', (data, isBinary) => {
      this.#end();
      this.#inTurn(data as Buffer, () => receive(data, isBinary));
    });
  }

  /** A message that is not whole may become as large as any. */
  #grow(length: number): void {
    this.#begun += length;
    if (this.#begun <= FEW_BYTES || this.#giveBack) return;
    this.#giveBack = this.#take(MAX_MESSAGE_BYTES);
    if (this.#giveBack) return;
    // It has said why: nothing more is read, not even the client's answer.
    this.#socket.pause();
    setTimeout(() => this.#socket.terminate(), CLOSE_MS).unref();
  }

  #leaveOut(length: number): void {
    const rest = this.#begun - length;
    if (rest <= FEW_BYTES) this.#end();
    this.#begun = rest;
  }

  #end(): void {
    this.#begun = 0;
    this.#giveBack?.();
    this.#giveBack = undefined;
  }

  #inTurn(data: Buffer, receive: () => void): void {
    const { turns, caller } = this.#receiving;
    const turn = turns.turnOf(caller());
    if (!turn) {
      receive();
      return;
    }
    const giveBack = this.#take(data.length);
    if (!giveBack) return;
    this.#waiting++;
    if (this.#waiting === MAX_WAITING) this.#socket.pause();
    void turn.then(() => {
      if (this.#waiting === MAX_WAITING) this.#socket.resume();
      this.#waiting--;
      giveBack();
      if (this.#socket.readyState === this.#socket.OPEN) receive();
    });
  }

  /** Closes the socket if its caller holds too much. */
  #take(bytes: number): (() => void) | undefined {
    const { shares, caller } = this.#receiving;
    const giveBack = shares.take(caller().turn ?? '', bytes);
    if (!giveBack) this.#socket.close(TRY_AGAIN_LATER, 'Too many messages of the caller wait, or are not whole.');
    return giveBack;
  }
}
