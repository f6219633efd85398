import type { StreamResult } from '../endpoint/subscriber.ts';
import type { StreamLimits } from '../endpoint/transport.ts';

/** A connection that messages are written to. */
export interface Sink {
  /** Writes messages together. Calls back once all of them have left the process, or the connection has ended. */
  write(messages: readonly string[], written: () => void): void;
  /** Bytes that were written and have not left the process. */
  unsentBytes(): number;
  /** Ends the connection of a client that does not keep up. */
  cutOff(): void;
}

/** The results of one subscription in an outbox. */
export interface ResultStream {
  push(result: StreamResult): void;
  /** Drops what still waits. */
  close(): void;
}

/** Makes the message that carries a result. */
type Frame = (json: string) => string;

interface Stream {
  readonly frame: Frame;
  isClosed: boolean;
}

interface QueuedMessage {
  readonly text: string;
  readonly sent: () => void;
}

interface QueuedResult {
  readonly stream: Stream;
  readonly result: StreamResult;
}

/** Messages that are written together, and what to call then. */
interface Batch {
  readonly texts: readonly string[];
  readonly sent: readonly (() => void)[];
  readonly hasResults: boolean;
}

type Queued = QueuedMessage | QueuedResult;

/** A server is busy when a task waits for its turn for longer. */
const BUSY_MS = 10;

/** What is written at once, in characters: a client must take so much within the time limit. */
const BATCH_LENGTH = 65_536;

/** Runs a task later, in a turn of the event loop that has time for it. */
type Later = (task: () => void) => void;

/**
 * Messages of one connection, in their order, written no faster than the client reads. Answers wait however long that
 * takes; results of subscriptions wait up to a limit, beyond which a report of missed events takes the place of all
 * those of its subscription that still wait. A client that takes nothing for too long is cut off.
 */
export class Outbox {
  readonly #sink: Sink;
  readonly #limits: StreamLimits;
  readonly #later: Later;
  #queue: Queued[] = [];
  #events = 0;
  /** Characters of the results that wait. */
  #length = 0;
  /** Characters of the answers that wait. */
  #messageLength = 0;
  #isWriting = false;
  #isScheduled = false;
  #isResting = false;
  #isBusy = false;
  #isClosed = false;
  #stall: NodeJS.Timeout | undefined;

  constructor(sink: Sink, limits: StreamLimits, later: Later) {
    this.#sink = sink;
    this.#limits = limits;
    this.#later = later;
  }

  /** Sends a message that is never dropped. Resolves once it has left the process, or never will. */
  send(text: string): Promise<void> {
    return new Promise((sent) => {
      if (this.#isClosed) return sent();
      this.#queue.push({ text, sent });
      this.#messageLength += text.length;
      if (this.#messageLength + this.#sink.unsentBytes() > this.#limits.maxUnsentBytes) this.#cutOff();
      else if (this.#queue.length === 1) this.#write();
      else this.#schedule();
    });
  }

  /** Adds a subscription, whose results `frame` makes messages of. */
  stream(frame: Frame): ResultStream {
    const stream: Stream = { frame, isClosed: false };
    return {
      push: (result) => this.#push({ stream, result }),
      close: () => {
        stream.isClosed = true;
      },
    };
  }

  /** Writes everything that waits, however fast the client reads: the connection is about to end. */
  flush(): void {
    while (this.#queue.length > 0 && !this.#isClosed) {
      const { texts, sent } = this.#takeBatch();
      const written = (): void => {
        for (const call of sent) call();
      };
      if (texts.length > 0) this.#sink.write(texts, written);
    }
  }

  /** Drops everything: the connection has ended. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#stall);
    for (const queued of this.#takeAll()) if ('sent' in queued) queued.sent();
  }

  #push(entry: QueuedResult): void {
    if (this.#isClosed || entry.stream.isClosed) return;
    const { length } = entry.result.json;
    const { maxQueuedEvents, maxQueuedLength } = this.#limits;
    const isFull = this.#events >= maxQueuedEvents || (this.#events > 0 && this.#length + length > maxQueuedLength);
    if (isFull) this.#dropResults();
    this.#add(entry);
    if (!this.#isResting) this.#schedule();
  }

  #add(entry: QueuedResult): void {
    this.#queue.push(entry);
    this.#events++;
    this.#length += entry.result.json.length;
  }

  /** Replaces the results of each subscription by one report, in the place of the first of them. */
  #dropResults(): void {
    const reported = new Set<Stream>();
    for (const queued of this.#takeAll()) {
      if ('sent' in queued) this.#queue.push(queued);
      else if (!reported.has(queued.stream)) {
        reported.add(queued.stream);
        this.#add({ ...queued, result: queued.result.missed ?? queued.result });
      }
    }
  }

  #takeAll(): readonly Queued[] {
    const queue = this.#queue;
    this.#queue = [];
    this.#events = 0;
    this.#length = 0;
    return queue;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isWriting) return;
    this.#isScheduled = true;
    const since = performance.now();
    this.#later(() => {
      this.#isScheduled = false;
      this.#isBusy = performance.now() - since > BUSY_MS;
      this.#write();
    });
  }

  #write(): void {
    if (this.#isWriting || this.#isClosed) return;
    const { texts, sent, hasResults } = this.#takeBatch();
    if (texts.length === 0) return;
    this.#isWriting = true;
    this.#sink.write(texts, () => {
      this.#isWriting = false;
      clearTimeout(this.#stall);
      this.#stall = undefined;
      for (const call of sent) call();
      if (this.#queue.length > 0) this.#schedule();
    });
    if (this.#isBusy && hasResults && this.#queue.length === 0 && !this.#isResting) this.#rest();
    if (this.#isWriting && this.#sink.unsentBytes() > 0)
      this.#stall = setTimeout(() => this.#cutOff(), this.#limits.stallTimeoutMs);
  }

  #rest(): void {
    const { restMs } = this.#limits;
    if (restMs === 0) return;
    this.#isResting = true;
    setTimeout(() => {
      this.#isResting = false;
      if (this.#queue.length > 0) this.#schedule();
    }, restMs).unref();
  }

  #takeBatch(): Batch {
    const texts: string[] = [];
    const sent: (() => void)[] = [];
    let [taken, length] = [0, 0];
    for (; taken < this.#queue.length && length < BATCH_LENGTH; taken++) {
      const text = this.#textOf(this.#queue[taken]!, sent);
      if (text === undefined) continue;
      texts.push(text);
      length += text.length;
    }
    this.#queue = this.#queue.slice(taken);
    return { texts, sent, hasResults: texts.length > sent.length };
  }

  /** The text of a message that leaves the queue; undefined if nobody waits for it any more. */
  #textOf(queued: Queued, sent: (() => void)[]): string | undefined {
    if ('sent' in queued) {
      sent.push(queued.sent);
      this.#messageLength -= queued.text.length;
      return queued.text;
    }
    const { stream, result } = queued;
    this.#events--;
    this.#length -= result.json.length;
    return stream.isClosed ? undefined : stream.frame(result.json);
  }

  #cutOff(): void {
    this.close();
    this.#sink.cutOff();
  }
}
