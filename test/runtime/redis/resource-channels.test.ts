import type { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { ResourceChannels } from '../../../src/runtime/redis/resource-channels.ts';

/** Channels over a connection that says what it was asked for. */
function connected() {
  const asked: string[] = [];
  const note = (verb: string) => async (name: string) => void asked.push(`${verb} ${name}`);
  const client = { subscribe: note('subscribe'), unsubscribe: note('unsubscribe') } as Partial<Redis> as Redis;
  let epochs = 0;
  const channels = new ResourceChannels({ nextEpoch: () => ++epochs, onFailure: () => {} });
  channels.connected(client, []);
  return { channels, asked };
}

const beat = (channels: ResourceChannels, times: number): void => {
  for (let i = 0; i < times; i++) channels.beat();
};

describe('the channel of a resource', () => {
  it('is left when nothing has used it for a minute, and pages from before are stale when it is heard again', async () => {
    const { channels, asked } = connected();
    channels.heardSince(['cats']);
    await Promise.resolve();
    const before = channels.heardSince(['cats']);
    beat(channels, 59);
    channels.heardSince(['cats']);
    beat(channels, 60);
    expect(asked).toEqual(['subscribe cats']);
    beat(channels, 1);
    expect(asked).toEqual(['subscribe cats', 'unsubscribe cats']);
    expect(channels.heardSince(['cats'])).toBeUndefined();
    await Promise.resolve();
    expect(channels.heardSince(['cats'])).toBeGreaterThan(before!);
  });

  it('is kept while somebody follows it', async () => {
    const { channels, asked } = connected();
    const [one, other] = [channels.follow(['cats']), channels.follow(['cats'])];
    one.release();
    one.release();
    beat(channels, 200);
    expect(asked).toEqual(['subscribe cats']);
    other.release();
    beat(channels, 61);
    expect(asked).toEqual(['subscribe cats', 'unsubscribe cats']);
  });

  it('is heard with others of which the last that is heard decides', async () => {
    const { channels, asked } = connected();
    channels.heardSince(['cats']);
    await Promise.resolve();
    const following = channels.follow(['cats', 'dogs']);
    expect(channels.heardSince(['cats', 'dogs'])).toBeUndefined();
    await following.heard;
    expect(channels.heardSince(['cats', 'dogs'])).toBeGreaterThan(channels.heardSince(['cats'])!);
    following.release();
    for (let i = 0; i < 61; i++) {
      channels.heardSince(['dogs']);
      channels.beat();
    }
    expect(asked).toEqual(['subscribe cats', 'subscribe dogs', 'unsubscribe cats']);
  });
});
