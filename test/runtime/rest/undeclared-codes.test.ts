import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { type Observatory, openObservatory } from '../../support/observatory.ts';

describe('a code that an operation does not declare', () => {
  let observatory: Observatory;
  const reports: Error[] = [];

  beforeAll(async () => {
    const reportFailure = (thrown: unknown): undefined => void reports.push(thrown as Error);
    observatory = await openObservatory(databases[0]!, { reportFailure });
  });
  afterAll(() => observatory.close());

  it.each([
    [
      'TELESCOPE_LOST',
      "it returns TELESCOPE_LOST, which POST /tallies does not declare. Write `'410': { description: Telescope lost., x-error-codes: [TELESCOPE_LOST] }` into paths['/tallies'].post.responses of the contract",
    ],
    [
      'COMET',
      "it returns COMET, which `ErrorCode` does not have. Add it there, and to paths['/tallies'].post.responses",
    ],
  ])('is reported with what to write, and where: %s', async (code, message) => {
    reports.length = 0;
    const outcome = await observatory.tally('REST', ({ refuse }) => refuse(code));
    expect(outcome.code).toBe('INTERNAL_ERROR');
    expect(outcome.text).not.toContain(code);
    expect(reports[0]!.message).toContain(`tally deviates from its contract: ${message}`);
  });

  it('names those that there are', async () => {
    reports.length = 0;
    await observatory.tally('REST', ({ refuse }) => refuse('TELESCOPE_LOST'));
    expect(reports[0]!.message).toMatch(/throw a declared code: .*TELESCOPE_CLOSED/);
  });
});
