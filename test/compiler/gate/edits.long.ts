import { describe, expect, test } from 'vitest';
import { breakingRestEdits, breakingSdlEdits } from './support/breaking-edits.ts';
import { compatibleRestEdits, compatibleSdlEdits } from './support/compatible-edits.ts';
import { changesOfRest, changesOfSdl, impactOf } from './support/edits.ts';

describe.concurrent('every edit that breaks callers is major', () => {
  test.each(breakingRestEdits)('over REST: %s', async (_, edit) => {
    expect(impactOf(await changesOfRest(edit))).toBe('major');
  });

  test.each(breakingSdlEdits)('over GraphQL: %s', async (_, edit) => {
    expect(impactOf(await changesOfSdl(edit))).toBe('major');
  });
});

describe.concurrent('every edit that breaks none is not', () => {
  test.each(compatibleRestEdits)('over REST: %s', async (_, edit) => {
    expect(impactOf(await changesOfRest(edit))).not.toBe('major');
  });

  test.each(compatibleSdlEdits)('over GraphQL: %s', async (_, edit) => {
    expect(impactOf(await changesOfSdl(edit))).not.toBe('major');
  });
});
