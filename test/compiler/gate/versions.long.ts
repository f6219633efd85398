import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runGate } from '../../../src/compiler/gate/gate.ts';
import { releaseContract } from '../../../src/compiler/gate/release.ts';
import { runHere } from '../../support/command.ts';
import { withFolder } from '../../support/folder.ts';

const [TODAY, SUNSET] = ['2026-11-21', '2027-06-30'];
const NAMED = `  x-versions: { v1: { deprecated: ${TODAY}, sunset: ${SUNSET} } }\n`;

/** Cats, released at `/v1`; and then at `/v2`, with `/v1` beside it until a sunset. */
const projects = { v1: '', v2: '' };

beforeAll(async () => {
  projects.v1 = await mkdtemp(join(tmpdir(), 'lockstep-versions-'));
  await cp('test/fixtures/cats', join(projects.v1, 'contracts'), { recursive: true });
  await release(projects.v1, TODAY);
  projects.v2 = await mkdtemp(join(tmpdir(), 'lockstep-versions-'));
  await cp(projects.v1, projects.v2, { recursive: true });
  await edit(projects.v2, 'url: /v1', 'url: /v2');
  await edit(projects.v2, 'servers:', `${NAMED}servers:`);
  await release(projects.v2, TODAY);
});
afterAll(() => Promise.all(Object.values(projects).map((folder) => rm(folder, { recursive: true }))));

const placesIn = (folder: string) => ({ contracts: join(folder, 'contracts'), out: join(folder, 'generated') });

async function release(folder: string, date: string) {
  const outcome = await releaseContract({ ...placesIn(folder), date, isDryRun: false });
  if (outcome.kind !== 'released') throw new Error(JSON.stringify(outcome));
  return outcome.release;
}

async function edit(folder: string, from: string, to: string): Promise<void> {
  const path = join(folder, 'contracts/openapi.yaml');
  const text = await readFile(path, 'utf8');
  if (!text.includes(from)) throw new Error(`no ${from}`);
  await writeFile(path, text.replace(from, to));
}

type Edit = readonly [from: string, to: string];

/** What the gate says of a project after edits, on a day. */
const changesAfter = (project: keyof typeof projects, edits: readonly Edit[], date = TODAY) =>
  withFolder({}, async (folder) => {
    await cp(projects[project], folder, { recursive: true });
    for (const [from, to] of edits) await edit(folder, from, to);
    const [verdict] = await runGate({ ...placesIn(folder), date }, ['changes']);
    return verdict!;
  });

const faultsAfter = async (...args: Parameters<typeof changesAfter>) =>
  (await changesAfter(...args)).findings.map(({ rule, message }) => `${rule}: ${message}`);

describe('an API version stays served', () => {
  test.each<readonly [string, keyof typeof projects, readonly Edit[], string]>([
    [
      'at the path that clients call',
      'v1',
      [['url: /v1', 'url: /api/v1']],
      'version-moved: The API is served at `/api/v1`, and nothing at `/v1` any more: `x-versions` does not keep `v1`.',
    ],
    [
      'beside a new one',
      'v1',
      [['url: /v1', 'url: /v2']],
      'version-moved: The API is served at `/v2`, and nothing at `/v1` any more: `x-versions` does not keep `v1`.',
    ],
    [
      'beside the version after the next',
      'v2',
      [['url: /v2', 'url: /v3']],
      'version-moved: The API is served at `/v3`, and nothing at `/v2` any more: `x-versions` does not keep `v2`.',
    ],
    [
      'when the present version goes back to it',
      'v2',
      [
        [NAMED, ''],
        ['url: /v2', 'url: /v1'],
      ],
      'version-moved: The API is served at `/v1`, and nothing at `/v2` any more: `x-versions` does not keep `v2`.',
    ],
    [
      'until its sunset',
      'v2',
      [[NAMED, '']],
      'version-removed: The version `v1` is no longer served, before its sunset on 2027-06-30.',
    ],
    [
      'until the sunset that was announced, not an earlier one',
      'v2',
      [[SUNSET, '2027-01-01']],
      'sunset-earlier: The sunset of `v1` is 2027-01-01, before the 2027-06-30 that was announced.',
    ],
    [
      'until a sunset that is announced before',
      'v2',
      [[SUNSET, TODAY]],
      'sunset-passed: The sunset of `v1` is announced too late: 2026-11-21 is not in the future.',
    ],
  ])('%s', async (_, project, edits, fault) => {
    const faults = await faultsAfter(project, edits);
    expect(faults.map((text) => text.replace(/ This breaks clients of [12]\.0\.0\.$/, ''))).toContain(
      `breaking-versions/${fault}`,
    );
  });

  test('and may be announced to end later, or to end at all', async () => {
    const verdict = await changesAfter('v2', [[SUNSET, '2028-01-01']]);
    expect(verdict).toMatchObject({
      status: 'passed',
      changes: [{ impact: 'minor', message: 'The sunset of `v1` is 2028-01-01, no longer 2027-06-30.' }],
    });
  });

  test('unless the contract waives it', async () => {
    const waiver = `{ rule: breaking-versions/version-removed, subject: v1, reason: Nobody calls it., until: ${SUNSET} }`;
    const verdict = await changesAfter('v2', [[NAMED, `  x-waivers: [${waiver}]\n`]]);
    expect(verdict).toMatchObject({
      status: 'passed',
      waived: [{ waiver: { subject: 'v1', reason: 'Nobody calls it.' } }],
    });
  });
});

test('a version is retired after its sunset: generated, checked and released', () =>
  withFolder({}, async (folder) => {
    await cp(projects.v2, folder, { recursive: true });
    expect(existsSync(join(folder, 'generated/versions.json'))).toBe(true);
    await edit(folder, NAMED, '');
    const { contracts, out } = placesIn(folder);
    expect(await runHere('scripts/generate.ts', ['--contracts', contracts, '--out', out])).toMatchObject({ code: 0 });
    for (const path of ['versions.json', 'versions']) expect(existsSync(join(out, path))).toBe(false);
    const verdicts = await runGate({ contracts, out, date: SUNSET }, ['contract', 'drift', 'changes']);
    expect(verdicts.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed']);
    expect(await release(folder, SUNSET)).toMatchObject({
      version: '2.1.0',
      changes: [{ message: 'The version `v1` is no longer served; its sunset was 2027-06-30.' }],
    });
  }));

test('a clone gets a contract of its own, whatever the one that came with it was compiled to', () =>
  withFolder({}, async (folder) => {
    await cp('test/fixtures/cats', join(folder, 'contracts'), { recursive: true });
    await cp('generated', join(folder, 'generated'), { recursive: true });
    const { contracts, out } = placesIn(folder);
    expect(await runHere('scripts/generate.ts', ['--contracts', contracts, '--out', out])).toMatchObject({ code: 0 });
    const [drift] = await runGate({ contracts, out, date: TODAY }, ['drift']);
    expect(drift).toMatchObject({ status: 'passed' });
    expect(existsSync(join(out, 'versions'))).toBe(false);
  }));
