import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Outbox, type Sink } from '../../../src/runtime/graphql/subscriptions/outbox.ts';

const MISSED = { json: 'missed', missed: undefined };
const result = (json: string) => ({ json, missed: MISSED });

const LIMITS = {
  maxQueuedEvents: 4,
  maxQueuedLength: 1_000,
  maxUnsentBytes: 5_000,
  stallTimeoutMs: 10_000,
  restMs: 50,
};

/** A connection whose client reads when it is told to. */
class SlowClient implements Sink {
  readonly batches: (readonly string[])[] = [];
  readonly #written: (() => void)[] = [];
  isReading = true;
  isCutOff = false;
  unsent = 0;
  unsentBytes = () => this.unsent;

  write(messages: readonly string[], written: () => void): void {
    this.batches.push(messages);
    if (this.isReading) {
      written();
      return;
    }
    this.unsent += messages.join('').length;
    this.#written.push(written);
  }

  read(): void {
    this.unsent = 0;
    for (const written of this.#written.splice(0)) written();
  }

  cutOff(): void {
    this.isCutOff = true;
  }
}

describe('an outbox', () => {
  let client: SlowClient;
  let outbox: Outbox;
  /** How long tasks wait for their turn. */
  let turnMs: number;
  beforeEach(() => {
    vi.useFakeTimers();
    client = new SlowClient();
    turnMs = 11;
    outbox = new Outbox(client, { ...LIMITS, maxArrivingBytes: 1, initTimeoutMs: 1 }, (task) => {
      vi.advanceTimersByTime(turnMs);
      task();
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const sent = (): string => client.batches.flat().join(' ');
  const streamOf = (id: string) => outbox.stream((json) => `${id}:${json}`);

  it('sends each result at once', () => {
    turnMs = 1;
    const stream = streamOf('a');
    for (const json of ['1', '2']) stream.push(result(json));
    expect(client.batches).toEqual([['a:1'], ['a:2']]);
  });

  it('of a busy server sends the first result at once, and together what comes shortly after it', () => {
    const stream = streamOf('a');
    for (const json of ['1', '2', '3']) stream.push(result(json));
    expect(client.batches).toEqual([['a:1']]);
    vi.advanceTimersByTime(50);
    expect(client.batches).toEqual([['a:1'], ['a:2', 'a:3']]);
  });

  it('sends answers at once, and behind the results before them', () => {
    const stream = streamOf('a');
    void outbox.send('ack');
    stream.push(result('1'));
    stream.push(result('2'));
    void outbox.send('done');
    expect(sent()).toBe('ack a:1 a:2 done');
  });

  it('replaces the results of a full queue by a report for each subscription, keeps answers, and goes on', () => {
    const [a, b] = [streamOf('a'), streamOf('b')];
    client.isReading = false;
    void outbox.send('ack');
    for (const json of ['1', '2']) a.push(result(json));
    void outbox.send('pong');
    for (const json of ['1', '2']) b.push(result(json));
    a.push(result('3'));
    client.isReading = true;
    client.read();
    vi.advanceTimersByTime(50);
    expect(sent()).toBe('ack a:missed pong b:missed a:3');
  });

  it('reports once, however much is missed', () => {
    const stream = streamOf('a');
    client.isReading = false;
    void outbox.send('ack');
    for (let i = 0; i < 1_000; i++) stream.push(result(String(i)));
    client.isReading = true;
    client.read();
    vi.advanceTimersByTime(50);
    expect(sent().match(/missed/g)).toHaveLength(1);
    expect(sent()).toMatch(/^ack a:missed (a:\d+ )*a:999$/);
  });

  it('bounds the characters that wait, too', () => {
    const stream = streamOf('a');
    client.isReading = false;
    void outbox.send('ack');
    for (let i = 0; i < 3; i++) stream.push(result(String(i).repeat(400)));
    client.isReading = true;
    client.read();
    vi.advanceTimersByTime(50);
    expect(sent()).toBe(`ack a:missed a:${'2'.repeat(400)}`);
  });

  it('cuts a client off that takes nothing for ten seconds, and not one that is slower than that', () => {
    client.isReading = false;
    const stream = streamOf('a');
    for (let i = 0; i < 5; i++) {
      stream.push(result(String(i)));
      vi.advanceTimersByTime(9_999);
      expect(client.isCutOff).toBe(false);
      client.read();
    }
    stream.push(result('last'));
    vi.advanceTimersByTime(10_000);
    expect(client.isCutOff).toBe(true);
  });

  it('cuts a client off that asks for answers and does not read them', async () => {
    client.isReading = false;
    const answers = Array.from({ length: 7 }, () => outbox.send('x'.repeat(1_000)));
    expect(client.isCutOff).toBe(true);
    // Nobody waits for what will never leave.
    await Promise.all(answers.slice(1));
  });

  it('drops what waits for a subscription that was left', () => {
    const stream = streamOf('a');
    for (const json of ['1', '2']) stream.push(result(json));
    stream.close();
    stream.push(result('3'));
    vi.advanceTimersByTime(50);
    expect(sent()).toBe('a:1');
  });

  it('sends everything at the end', () => {
    const stream = streamOf('a');
    for (const json of ['1', '2']) stream.push(result(json));
    outbox.flush();
    expect(sent()).toBe('a:1 a:2');
  });
});
