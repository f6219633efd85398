import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { onList } from '../../support/reads.ts';
import { startService } from '../../support/service.ts';

/** What a server logs at a level while it answers one good and one failing request. */
async function linesAt(level: string): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level }, { write: (line) => lines.push(JSON.parse(line)) });
  const service = await startService('cats', databases[0]!, {}, { http: { log } });
  await service.request('GET', '/v1/cats?limit=1');
  onList(service.store, () => {
    throw new Error('the disk is gone');
  });
  await service.request('GET', '/v1/cats');
  await service.close();
  return lines;
}

describe('the log', () => {
  it('has failures once, with their cause and the request id', async () => {
    const lines = await linesAt('info');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: 50,
      requestId: expect.stringMatching(/\S/),
      err: { message: 'the disk is gone' },
    });
  });

  it('has every request at level debug, without its query', async () => {
    const answered = (await linesAt('debug')).filter(({ msg }) => msg === 'answered');
    expect(answered).toMatchObject([
      { method: 'GET', path: '/v1/cats', status: 200, durationMs: expect.any(Number) },
      { method: 'GET', path: '/v1/cats', status: 500 },
    ]);
  });
});
