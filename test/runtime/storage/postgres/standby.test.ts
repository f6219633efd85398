import { afterEach, describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/runtime/storage/postgres/answer.ts';
import { IDENTITY, Standby } from '../../../../src/runtime/storage/postgres/standby.ts';
import { eventually } from '../../../support/eventually.ts';

interface State {
  position: bigint;
  timeline: string;
}

const OLD = '00000001';
const NEW = '00000002';

/** A standby and its primary, as far as each has come. */
class Pair {
  readonly primary: State = { position: 10n, timeline: OLD };
  readonly replica: State = { position: 10n, timeline: OLD };
  /** What the replica is asked after that it knows nothing of yet. */
  follows: State | undefined;
  isInRecovery = true;
  identities = ['7/shop', '7/shop'];
  readonly logged: string[] = [];
  readonly standby: Standby;

  constructor() {
    const log = (_fields: object, message: string): void => void this.logged.push(message);
    const read = async (sql: string): Promise<Answer> => this.#answer(sql);
    this.standby = new Standby({
      connect: () => ({
        open: async () => {},
        read,
        readFrom: ({ sql }) => read(sql),
        close: async () => {},
      }),
      identity: async () => this.identities[0]!,
      clock: async () => ({ ...this.primary }),
      log: { info: log, warn: log },
    });
  }

  #answer(sql: string): Answer {
    const { position, timeline } = this.replica;
    const state = this.isInRecovery ? [[String(position), timeline]] : [];
    if (sql !== IDENTITY && this.follows) Object.assign(this.replica, this.follows);
    const rows = sql === IDENTITY ? [[this.identities[1]!]] : state;
    return { rows, count: rows.length, command: 'SELECT' };
  }
}

describe('a standby', () => {
  let pair: Pair;
  afterEach(() => pair.standby.close());
  const started = async (): Promise<Pair> => {
    pair = new Pair();
    await pair.standby.start();
    return pair;
  };

  it('has reached what it has replayed, and is waited for', async () => {
    const { standby, replica } = await started();
    expect(standby.isServing).toBe(true);
    expect(await standby.reaches({ position: 10n, timeline: OLD }, 0)).toBe(true);
    pair.follows = { ...replica, position: 11n };
    expect(await standby.reaches({ position: 11n, timeline: OLD }, 1_000)).toBe(true);
  });

  it('that stays behind on the timeline before a failover has reached nothing of the new one, however far it has come', async () => {
    const { standby, logged } = await started();
    pair.replica.position = 1_000n;
    expect(await standby.reaches({ position: 11n, timeline: NEW }, 1_000)).toBe(false);
    expect(standby.isServing).toBe(false);
    expect(logged).toEqual(['the replica is left out: reads go to the primary']);
  });

  it('that follows a failover goes on', async () => {
    const { standby } = await started();
    Object.assign(pair.replica, { position: 12n, timeline: NEW });
    expect(await standby.reaches({ position: 11n, timeline: NEW }, 1_000)).toBe(true);
    expect(standby.isServing).toBe(true);
  });

  it('is taken back once it follows the timeline of the primary', async () => {
    const { standby, logged } = await started();
    Object.assign(pair.primary, { position: 11n, timeline: NEW });
    expect(await standby.reaches(pair.primary, 1_000)).toBe(false);
    Object.assign(pair.replica, pair.primary);
    await eventually(() => expect(standby.isServing).toBe(true));
    expect(logged.at(-1)).toBe('the replica serves reads');
  });

  it('that was promoted, or is a copy of another database, is refused', async () => {
    pair = new Pair();
    pair.isInRecovery = false;
    await expect(pair.standby.start()).rejects.toThrow('it is not a standby');
    pair = new Pair();
    pair.identities = ['7/shop', '8/shop'];
    await expect(pair.standby.start()).rejects.toThrow('it is not a standby of the server at DATABASE_URL');
  });
});
