import type { Tally } from './tally.ts';

/** What stands among what was answered for a message that was sent over a WebSocket. */
export const FRAME = 'frame';

/** A server under attack, as other processes are told of it. */
export interface TargetMessage {
  readonly port: number;
  /** Attackers come from `127.NETWORK.x`: in each run they are others, to whom the rate limit counts nothing yet. */
  readonly network: string;
  /** How many rows the largest parent has. */
  readonly rows: number;
}

export interface AttackMessage extends TargetMessage {
  /** As `nameOf` has it. */
  readonly attack: string;
}

/** What bystanders have seen: the longest that each took, in milliseconds. */
export interface Seen {
  readonly reads: number;
  readonly livez: number;
  readonly readyz: number;
  /** Of the reads. */
  readonly statuses: Tally;
}

export interface ProbeMessage extends TargetMessage {
  /** What is read by key. */
  readonly path: string;
  /** Until it is told to end, if left out. */
  readonly forMs?: number;
}

/** What a server has done since it was asked last. */
export interface Work {
  /** CPU time of the main thread. */
  readonly mainMs: number;
  /** The most messages of sockets that were handed over in one turn of the event loop. */
  readonly mostFramesATurn: number;
  /** The most texts that were written to sockets in one turn of the event loop: each answer is one. */
  readonly mostWritesATurn: number;
  /** The most heads of requests that were parsed in one turn of the event loop. */
  readonly mostHeadsATurn: number;
  /** The most requests that were parsed and not yet answered at one time. */
  readonly mostKept: number;
  /** Characters of the longest JSON text that was parsed. */
  readonly longestParsed: number;
  /** The most bytes that buffers held at one time. */
  readonly mostBufferBytes: number;
  /** The most parts of bodies, of 64 KiB at most, that were taken over from the parser in one turn of the event loop. */
  readonly mostPartsATurn: number;
  /** The most parts that a body was taken over in from the parser. */
  readonly mostParts: number;
  /** The targets of the first 1,000 requests that were answered with other than 503, and messages of sockets, as they were written. */
  readonly answered: readonly string[];
  /** The most characters of answers that were written and not sent at one time. */
  readonly mostUnsent: number;
}

/** What a server holds after a full collection. */
export interface Memory {
  readonly heapAndExternalBytes: number;
  readonly rssBytes: number;
  readonly peakRssBytes: number;
}
