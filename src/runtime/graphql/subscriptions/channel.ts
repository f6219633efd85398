import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { Turns } from '../../async/turns.ts';
import type { GraphqlResult } from '../endpoint/request.ts';
import type { Leave, StreamResult, Subscriber } from '../endpoint/subscriber.ts';

type Events = AsyncIterator<unknown, unknown>;

/** How a channel gets its results. */
export interface ChannelSource {
  /** Starts the subscription: its events, or the one result if it cannot start. Never rejects. */
  start(): Promise<Events | GraphqlResult>;
  /** The result for one event. Never rejects. */
  execute(event: unknown): MaybePromise<GraphqlResult>;
  /** The result that reports missed events. Never rejects. */
  missed(): MaybePromise<GraphqlResult>;
  /** The last result of a subscription that has failed. */
  failed(error: unknown): GraphqlResult;
}

/** One subscriber of a channel. */
export interface Member {
  readonly subscriber: Subscriber;
  /** When the member's credentials expire, in milliseconds since the epoch. */
  readonly expiresAtMs: number;
  /** The last result of a member whose credentials have expired. */
  expired(): GraphqlResult;
}

export interface ChannelOptions {
  readonly source: ChannelSource;
  readonly turns: Turns;
  readonly clock: () => number;
  /** Called once: when the last member has left, or the subscription could not start or has ended. */
  readonly onEnd: () => void;
}

/** Members who are served in one go; then other tasks have their turn. */
const MEMBERS_AT_ONCE = 500;

/**
 * A subscription that runs once for all who would get the same results. Each event is executed once and encoded once, in
 * its turn.
 */
export class Channel {
  readonly #options: ChannelOptions;
  readonly #members = new Set<Member>();
  /** Undefined once the subscription runs; else the result of one that could not start. */
  readonly started: Promise<GraphqlResult | undefined>;
  #events: Events | undefined;
  #hasEnded = false;

  constructor(options: ChannelOptions) {
    this.#options = options;
    this.started = this.#start();
  }

  /** Adds a member, who gets the results of all events from now on. */
  join(member: Member): Leave {
    this.#members.add(member);
    return () => {
      if (this.#members.delete(member) && this.#members.size === 0) this.#end();
    };
  }

  async #start(): Promise<GraphqlResult | undefined> {
    const { source } = this.#options;
    const started = await source.start();
    if (!('next' in started)) {
      this.#end();
      return started;
    }
    this.#events = started;
    const missed: StreamResult = { json: JSON.stringify(await source.missed()), missed: undefined };
    if (this.#hasEnded) void started.return?.();
    else void this.#run(started, missed);
    return undefined;
  }

  async #run(events: Events, missed: StreamResult): Promise<void> {
    const { source, turns } = this.#options;
    try {
      for (;;) {
        const { done, value } = await events.next();
        if (done) break;
        await turns.next();
        const result = source.execute(value);
        const json = JSON.stringify(result instanceof Promise ? await this.#executed(result) : result);
        await this.#deliver({ json, missed });
      }
    } catch (error) {
      await this.#deliver({ json: JSON.stringify(source.failed(error)), missed });
    }
    const members = [...this.#members];
    this.#members.clear();
    this.#end();
    for (const { subscriber } of members) subscriber.complete();
  }

  async #executed(result: Promise<GraphqlResult>): Promise<GraphqlResult> {
    const executed = await result;
    await this.#options.turns.next();
    return executed;
  }

  async #deliver(result: StreamResult): Promise<void> {
    const { clock, turns } = this.#options;
    const members = [...this.#members];
    for (let i = 0; i < members.length; i += MEMBERS_AT_ONCE) {
      if (i > 0) await turns.next();
      const nowMs = clock();
      for (const member of members.slice(i, i + MEMBERS_AT_ONCE))
        if (member.expiresAtMs <= nowMs) this.#expire(member, result);
        else if (this.#members.has(member)) member.subscriber.next(result);
    }
  }

  #expire(member: Member, result: StreamResult): void {
    if (!this.#members.delete(member)) return;
    member.subscriber.next({ json: JSON.stringify(member.expired()), missed: result.missed });
    member.subscriber.complete();
    if (this.#members.size === 0) this.#end();
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#options.onEnd();
    void this.#events?.return?.();
  }
}
