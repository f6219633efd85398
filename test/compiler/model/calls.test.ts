import { beforeAll, describe, expect, it } from 'vitest';
import { Command } from '../../support/command.ts';

/**
 * What is worked out of a contract, and how often at most. It has three documents: as written, as completed, and the old version
 * that it names, each with 32 operations. Schemas, or several that apply to one value, are laid over each other once in a document;
 * those of tools in the completed one.
 */
const BARS = {
  collectOperations: 3,
  mergedParameters: 97,
  flattenSchema: 685,
  schemasOf: 3,
};

describe('one compile of the storefront', () => {
  let calls: Readonly<Record<string, number>>;
  beforeAll(async () => {
    const { stdout, stderr } = await new Command('test/compiler/model/processes/calls-of-a-compile.ts', ['contracts'])
      .finished;
    expect(stderr).not.toContain('Error');
    const counted = JSON.parse(stdout) as { readonly errors: number; readonly calls: typeof calls };
    expect(counted.errors).toBe(0);
    ({ calls } = counted);
  });

  it.each(Object.entries(BARS))('calls %s at most %i times', (name, bar) => {
    console.log(`${name}: ${calls[name]} calls`);
    expect(calls[name]).toBeGreaterThan(0);
    expect(calls[name]).toBeLessThanOrEqual(bar);
  });
});
