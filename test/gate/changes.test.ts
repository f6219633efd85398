import { describe, expect, test } from 'vitest';
import { breakingRestEdits, breakingSdlEdits } from './support/breaking-edits.ts';
import { compatibleRestEdits, compatibleSdlEdits } from './support/compatible-edits.ts';
import { changesOfRest, changesOfSdl, impactOf } from './support/edits.ts';

test('there are as many edits as are promised', () => {
  expect(breakingRestEdits.length + breakingSdlEdits.length).toBeGreaterThanOrEqual(100);
  expect(compatibleRestEdits.length + compatibleSdlEdits.length).toBeGreaterThanOrEqual(25);
});

describe.concurrent('what breaks callers is major', () => {
  test.each(breakingRestEdits)('over REST: %s', async (_, edit) => {
    expect(impactOf(await changesOfRest(edit))).toBe('major');
  });

  test.each(breakingSdlEdits)('over GraphQL: %s', async (_, edit) => {
    expect(impactOf(await changesOfSdl(edit))).toBe('major');
  });
});

describe.concurrent('what does not is not', () => {
  test.each(compatibleRestEdits)('over REST: %s', async (_, edit) => {
    const changes = await changesOfRest(edit);
    expect(changes.filter(({ impact }) => impact === 'major')).toEqual([]);
  });

  test.each(compatibleSdlEdits)('over GraphQL: %s', async (_, edit) => {
    const changes = await changesOfSdl(edit);
    expect(changes.filter(({ impact }) => impact === 'major')).toEqual([]);
  });
});
