import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FromWorker, ToWorker } from '../../../src/runtime/workers/messages.ts';
import { Staff } from '../../../src/runtime/workers/staff.ts';
import type { WorkerProcess } from '../../../src/runtime/workers/worker.ts';

/** A process that does what a test says. */
class FakeProcess implements WorkerProcess {
  static last = 0;
  readonly pid: number | undefined;
  readonly index: number;
  readonly received: string[] = [];
  isKilled = false;
  #receive: (batch: readonly FromWorker[]) => void = () => {};
  #ended: (how: string, isClean: boolean) => void = () => {};

  constructor(index: number, isStarted: boolean) {
    this.index = index;
    this.pid = isStarted ? ++FakeProcess.last : undefined;
  }
  send(batch: readonly ToWorker[]): void {
    this.received.push(...batch.map(({ kind }) => kind));
  }
  onBatch(receive: (batch: readonly FromWorker[]) => void): void {
    this.#receive = receive;
  }
  onLost(): void {}
  onEnd(ended: (how: string, isClean: boolean) => void): void {
    this.#ended = ended;
  }
  kill(): void {
    this.isKilled = true;
    this.end('SIGKILL');
  }
  say(...batch: FromWorker[]): void {
    this.#receive(batch);
  }
  end(how: string, isClean = false): void {
    this.#ended(how, isClean);
  }
  serve(): void {
    this.say({ kind: 'booted' }, { kind: 'serving', url: 'http://here' });
  }
}

describe('the workers of an instance', () => {
  let made: FakeProcess[];
  let log: string[];
  let left: boolean[];
  let gaveUp: Error | undefined;
  let hasRoom: boolean;
  let staff: Staff;

  beforeEach(() => {
    vi.useFakeTimers();
    [made, log, left, gaveUp, hasRoom] = [[], [], [], undefined, true];
    const write = (...said: unknown[]) => void log.push(String(said.at(-1)));
    staff = new Staff({
      count: 2,
      endMs: 30_000,
      fork(index) {
        const process = new FakeProcess(index, hasRoom);
        made.push(process);
        return process;
      },
      log: { info: write, warn: write, error: write },
      join: () => {},
      receive: () => {},
      leave: (_, isClean) => left.push(isClean),
      giveUp: (error) => {
        gaveUp = error;
      },
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const turn = () => vi.advanceTimersByTimeAsync(1);
  const at = (i: number): FakeProcess => {
    const found = made[i];
    if (!found) throw new Error(`There is no process ${i}.`);
    return found;
  };
  async function started(): Promise<void> {
    const starting = staff.start();
    for (const process of made) process.serve();
    await turn();
    expect(await starting).toBe('http://here');
  }

  it('listen when all of them have started', async () => {
    void staff.start();
    at(0).say({ kind: 'booted' });
    await turn();
    expect(at(0).received).toEqual([]);
    at(1).say({ kind: 'booted' });
    await turn();
    expect([at(0).received, at(1).received]).toEqual([['serve'], ['serve']]);
  });

  it('are ended when one of them does not start, with what it says', async () => {
    const starting = staff.start();
    const refused = expect(starting).rejects.toThrow('PORT is taken');
    at(0).say({ kind: 'booted' });
    at(1).say({ kind: 'failed', why: 'PORT is taken' });
    await refused;
    expect(made.map(({ isKilled }) => isKilled)).toEqual([true, true]);
    expect(made).toHaveLength(2);
  });

  it('are replaced at once, and later where they end soon again', async () => {
    await started();
    at(0).end('SIGKILL');
    await turn();
    expect(made.map(({ index }) => index)).toEqual([0, 1, 0]);
    expect(left).toEqual([false]);
    expect(log).toEqual(['a worker has ended, and another one replaces it']);
    for (const [i, pauseMs] of [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000].entries()) {
      const last = at(2 + i);
      at(1).say({ kind: 'beat' });
      last.serve();
      last.end('code 1');
      await vi.advanceTimersByTimeAsync(pauseMs - 2);
      expect(made).toHaveLength(3 + i);
      await vi.advanceTimersByTimeAsync(4);
      expect(made).toHaveLength(4 + i);
    }
    const last = at(10);
    last.serve();
    for (let i = 0; i < 11; i++) {
      at(1).say({ kind: 'beat' });
      last.say({ kind: 'beat' });
      await vi.advanceTimersByTimeAsync(1_000);
    }
    last.end('SIGKILL');
    await turn();
    expect(made).toHaveLength(12);
    expect(gaveUp).toBeUndefined();
  });

  it('are given up when five in a row have not come to serve', async () => {
    await started();
    at(0).end('SIGKILL');
    for (let i = 2; i < 7; i++) {
      await vi.advanceTimersByTimeAsync(5_000);
      at(1).say({ kind: 'beat' });
      at(i).end('code 1');
    }
    await vi.advanceTimersByTimeAsync(5_000);
    expect(made).toHaveLength(7);
    expect(gaveUp?.message).toBe('5 workers in a row have ended before they served (code 1).');
  });

  it('are tried again and again, while the others serve, when there is no room for a process', async () => {
    await started();
    hasRoom = false;
    at(0).end('SIGKILL');
    await vi.advanceTimersByTimeAsync(1);
    for (let i = 2; i < 30; i++) {
      at(i).end('spawn ENOMEM');
      at(1).say({ kind: 'beat' });
      await vi.advanceTimersByTimeAsync(Math.min(100 * 2 ** (i - 2), 5_000) + 1);
      expect(made).toHaveLength(2 + i);
    }
    expect(gaveUp).toBeUndefined();
    expect(new Set(log.slice(1))).toEqual(new Set(['a worker could not be started: it is tried again']));
    hasRoom = true;
    at(30).end('spawn ENOMEM');
    await vi.advanceTimersByTimeAsync(5_001);
    at(31).serve();
    expect(at(31).received).toEqual([]);
    await turn();
    expect(at(31).received).toEqual(['serve']);
  });

  it('are ended and replaced when they say nothing', async () => {
    await started();
    for (let i = 0; i < 12; i++) {
      at(1).say({ kind: 'beat' });
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(made.map(({ isKilled }) => isKilled)).toEqual([true, false, false]);
  });

  it('finish their work, all at once, when the instance ends', async () => {
    await started();
    const stopping = staff.stop();
    await turn();
    expect(made.map(({ received }) => received.at(-1))).toEqual(['stop', 'stop']);
    for (const process of made) {
      process.say({ kind: 'bye', measured: [] });
      process.end('code 0', true);
    }
    await stopping;
    expect(left).toEqual([true, true]);
    expect(made).toHaveLength(2);
  });

  it('report that one has not ended as it should', async () => {
    await started();
    const stopping = expect(staff.stop()).rejects.toThrow('1 of 2 workers did not end as they should.');
    at(0).end('code 0', true);
    at(1).end('code 1', false);
    await stopping;
  });

  it('are replaced one after the other, each when its successor serves', async () => {
    await started();
    const restarting = staff.restart();
    await turn();
    expect(made).toHaveLength(3);
    expect(at(0).received).not.toContain('stop');
    at(2).serve();
    await turn();
    expect(at(0).received).toContain('stop');
    expect(made).toHaveLength(3);
    at(0).end('code 0', true);
    await turn();
    expect(made).toHaveLength(4);
    at(3).serve();
    await turn();
    at(1).end('code 0', true);
    await restarting;
    expect(log).toEqual(['all workers have been replaced']);
    expect(made).toHaveLength(4);
  });

  it('finish their work, those that are being replaced among them, when the instance ends meanwhile', async () => {
    await started();
    void staff.restart();
    await turn();
    const stopping = staff.stop();
    await turn();
    expect(at(2).isKilled).toBe(true);
    expect([at(0).received.at(-1), at(1).received.at(-1)]).toEqual(['stop', 'stop']);
    let isOver = false;
    void stopping.then(() => {
      isOver = true;
    });
    at(1).end('code 0', true);
    await turn();
    expect(isOver).toBe(false);
    at(0).end('code 0', true);
    await stopping;
  });

  it('are waited for while they are replaced, and ended when they take too long', async () => {
    await started();
    const restarting = staff.restart();
    await turn();
    at(2).serve();
    for (let i = 0; i < 29; i++) {
      for (const n of [1, 2]) at(n).say({ kind: 'beat' });
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(at(0).isKilled).toBe(false);
    for (let i = 0; i < 3; i++) {
      for (const n of [1, 2]) at(n).say({ kind: 'beat' });
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(at(0).isKilled).toBe(true);
    at(3).serve();
    await turn();
    at(1).end('code 0', true);
    await restarting;
  });

  it('are replaced once, without a gap, when a signal has reached one of them', async () => {
    await started();
    at(1).say({ kind: 'signalled' }, { kind: 'signalled' });
    await turn();
    expect(made.map(({ index }) => index)).toEqual([0, 1, 1]);
    expect(at(1).received).not.toContain('stop');
    at(2).serve();
    await turn();
    expect(at(1).received.at(-1)).toBe('stop');
    at(1).end('code 0', true);
    await turn();
    expect(made).toHaveLength(3);
    expect(log[0]).toBe('a worker has been replaced');
  });

  it('are not replaced when a signal has reached the primary as well', async () => {
    await started();
    for (const process of made) process.say({ kind: 'signalled' });
    for (let i = 0; i < 9; i++) await undefined;
    const stopping = staff.stop();
    await turn();
    expect(made.map(({ received }) => received.filter((kind) => kind !== 'serve'))).toEqual([['stop'], ['stop']]);
    for (const process of made) process.end('code 0', true);
    await stopping;
    expect(made).toHaveLength(2);
    expect(log).toEqual([]);
  });

  it('that have just taken the place of others are replaced once they serve', async () => {
    await started();
    at(0).end('SIGKILL');
    await turn();
    void staff.restart();
    await turn();
    at(3).serve();
    await turn();
    at(1).end('code 0', true);
    await turn();
    expect(made).toHaveLength(4);
    at(2).serve();
    await turn();
    expect(made).toHaveLength(5);
    at(4).serve();
    await turn();
    expect(at(2).received.at(-1)).toBe('stop');
  });

  it('are not replaced before they serve', async () => {
    const starting = staff.start();
    void staff.restart();
    await turn();
    expect(made).toHaveLength(2);
    for (const process of made) process.serve();
    expect(await starting).toBe('http://here');
    await turn();
    expect(made).toHaveLength(3);
  });

  it('go on as they are when a successor does not start', async () => {
    await started();
    const restarting = staff.restart();
    await turn();
    at(2).say({ kind: 'failed', why: 'no' });
    at(2).end('code 1');
    await restarting;
    await vi.advanceTimersByTimeAsync(100);
    expect(made).toHaveLength(3);
    expect(at(0).received).not.toContain('stop');
    at(0).end('SIGKILL');
    await turn();
    expect(made).toHaveLength(4);
  });
});
