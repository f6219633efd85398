import { existsSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readReleases } from '../../../src/compiler/gate/changes/releases.ts';
import { type ReleaseOutcome, releaseContract } from '../../../src/compiler/gate/release.ts';
import { runHere } from '../../support/command.ts';
import { filledFolders, withFolder } from '../../support/folder.ts';
import { oneIn } from '../../support/thorough.ts';

interface Project {
  readonly contracts: string;
  readonly release: (options?: { readonly date?: string; readonly isDryRun?: boolean }) => Promise<ReleaseOutcome>;
  readonly edit: (from: string, to: string, file?: string) => Promise<void>;
  readonly read: (path: string) => Promise<string>;
}

function projectIn(folder: string): Project {
  const [contracts, out] = [join(folder, 'contracts'), join(folder, 'generated')];
  return {
    contracts,
    release: ({ date = '2026-11-21', isDryRun = false } = {}) => releaseContract({ contracts, out, date, isDryRun }),
    edit: async (from, to, file = 'openapi.yaml') => {
      const text = await readFile(join(contracts, file), 'utf8');
      if (!text.includes(from)) throw new Error(`no ${from}`);
      await writeFile(join(contracts, file), text.replace(from, to));
    },
    read: (path) => readFile(join(folder, path), 'utf8'),
  };
}

const withProject = (work: (project: Project) => Promise<void>, fixture = 'cats') =>
  withFolder({}, async (folder) => {
    await cp(`test/fixtures/${fixture}`, join(folder, 'contracts'), { recursive: true });
    await work(projectIn(folder));
  });

const released = filledFolders(async (folder, fixture) => {
  await cp(`test/fixtures/${fixture}`, join(folder, 'contracts'), { recursive: true });
  await projectIn(folder).release();
});

const withReleased = (work: (project: Project) => Promise<void>, fixture = 'cats') =>
  withFolder({}, async (folder) => {
    await cp(await released(fixture), folder, { recursive: true });
    await work(projectIn(folder));
  });

const versionOf = (outcome: ReleaseOutcome) => (outcome.kind === 'released' ? outcome.release.version : outcome.kind);

describe('a release', () => {
  test('keeps both documents under the API version, as they were generated', () =>
    withProject(async ({ contracts, release, read }) => {
      expect(versionOf(await release())).toBe('1.0.0');
      for (const name of ['openapi.json', 'schema.graphql'])
        expect(await read(`contracts/released/v1/${name}`)).toBe(await read(`generated/${name}`));
      expect(readReleases(contracts)).toEqual([
        { version: '1.0.0', apiVersion: 'v1', date: '2026-11-21', changes: [] },
      ]);
      expect(await read('contracts/released/CHANGELOG.md')).toContain(
        '## 1.0.0 (v1) — 2026-11-21\n\nThe first release.',
      );
    }));

  test('is not made when nothing has changed', () =>
    withReleased(async ({ release }) => {
      expect(versionOf(await release())).toBe('unchanged');
    }));

  // Rules of tenants, rows and properties, with searches and bounded counts; rules without a tenant; none of the conventions.
  test.each(oneIn(3, ['practice', 'tracker', 'payroll', 'valid/ordinary', 'conservatory', 'foreign/fastapi']))(
    'says nothing of its own words when nothing has changed: %s',
    (fixture) =>
      withReleased(async ({ release }) => {
        expect(await release({ isDryRun: true })).toMatchObject({ kind: 'unchanged' });
      }, fixture),
  );

  test('has the version that its changes ask for, in the contract, too', () =>
    withReleased(async ({ contracts, release, edit, read }) => {
      await edit('Most cats on one page.', 'Most cats of a page.');
      expect(versionOf(await release())).toBe('1.0.1');
      await edit(
        '        - name: cursor',
        '        - name: mood\n          in: query\n          description: Its mood.\n          schema: { type: string, maxLength: 9 }\n        - name: cursor',
      );
      const refused = await release();
      expect(refused.kind).toBe('refused');
      await edit(
        '        - name: mood\n          in: query\n          description: Its mood.\n          schema: { type: string, maxLength: 9 }\n',
        '',
      );
      await edit('enum: [name, -name, bornOn, -bornOn]', 'enum: [name, -name, bornOn, -bornOn, colour, -colour]');
      await edit('enum CatSort {', 'enum CatSort {\n  COLOUR_ASC\n  COLOUR_DESC', 'cats.graphql');
      expect(versionOf(await release({ date: '2026-12-01' }))).toBe('1.1.0');
      expect(await read('contracts/openapi.yaml')).toContain('  version: 1.1.0\n');
      expect(JSON.parse(await read('generated/openapi.json')).info.version).toBe('1.1.0');
      expect(readReleases(contracts).map(({ version }) => version)).toEqual(['1.1.0', '1.0.1', '1.0.0']);
      expect(readReleases(contracts)[0]?.changes.map(({ rule, subject, facts }) => [rule, subject, facts])).toEqual(
        expect.arrayContaining([
          [
            'changed',
            'listCats.sort',
            {
              keyword: 'enum',
              from: ['name', '-name', 'bornOn', '-bornOn'],
              to: ['name', '-name', 'bornOn', '-bornOn', 'colour', '-colour'],
            },
          ],
          ['enum-value-added', 'CatSort.COLOUR_ASC', {}],
        ]),
      );
      const changelog = await read('contracts/released/CHANGELOG.md');
      expect(changelog).toMatch(
        /## 1\.1\.0 \(v1\) — 2026-12-01\n\n### Added\n\n(?:- .*\n)*- GraphQL: Enum value 'COLOUR_ASC' was added to enum 'CatSort'\./,
      );
    }));

  test('that breaks callers needs a new API version, and leaves the old one as it was', () =>
    withReleased(async ({ release, edit, read }) => {
      const kept = await read('contracts/released/v1/openapi.json');
      await edit('maximum: 100', 'maximum: 50');
      await edit('assumedSize: 100', 'assumedSize: 50', 'cats.graphql');
      const refused = await release();
      expect(refused).toMatchObject({ kind: 'refused' });
      expect(refused.kind === 'refused' && refused.findings.map(({ rule }) => rule)).toContain(
        'breaking-graphql/listsize-changed',
      );
      expect(await read('contracts/openapi.yaml')).toContain('  version: 1.0.0\n');
      const versions = '  x-versions: { v1: { deprecated: 2026-11-21 } }\n';
      await edit('servers:\n  - url: /v1', `${versions}servers:\n  - url: /v2`);
      expect(await release()).toMatchObject({ kind: 'refused' });
      const waiver = 'rule: breaking-graphql/listsize-changed, subject: Query.cats, reason: Of all., until: 2999-12-31';
      await edit(versions, `${versions}  x-waivers: [{ ${waiver} }]\n`);
      expect(versionOf(await release())).toBe('2.0.0');
      expect(await read('contracts/released/v1/openapi.json')).toBe(kept);
      expect(JSON.parse(await read('contracts/released/v2/openapi.json')).servers).toEqual([{ url: '/v2' }]);
      expect(await read('contracts/released/CHANGELOG.md')).toContain('## 2.0.0 (v2) — 2026-11-21\n\n### Breaking\n');
    }));

  test('of a break that is waived has the next major version, and says why', () =>
    withReleased(async ({ release, edit, read }) => {
      const parameter =
        '- { name: X-Why, in: header, required: true, schema: { type: string, maxLength: 9 }, x-parity: { graphql: absent, because: Of all. } }';
      await edit('operationId: createCat', `operationId: createCat\n      parameters:\n        ${parameter}`);
      const waivers =
        '[{ rule: breaking-rest/parameter-became-required, subject: createCat.X-Why, reason: Why not., until: 2026-11-21 }]';
      await edit('servers:', `  x-waivers: ${waivers}\nservers:`);
      expect(await release({ date: '2026-11-22' })).toMatchObject({ kind: 'refused' });
      expect(versionOf(await release())).toBe('2.0.0');
      expect(await read('contracts/released/CHANGELOG.md')).toContain(
        '### Breaking\n\n- REST: Header parameter `X-Why` of operation `createCat`: required `X-Why` header parameter was added. Why: Why not.\n',
      );
      expect(versionOf(await release())).toBe('unchanged');
    }));

  test('in rehearsal writes nothing', () =>
    withProject(async ({ contracts, release }) => {
      expect(versionOf(await release({ isDryRun: true }))).toBe('1.0.0');
      expect(existsSync(join(contracts, 'released'))).toBe(false);
    }));

  test('of a contract with errors is refused, and of one without a version', () =>
    withProject(async ({ contracts, release, edit }) => {
      await edit('version: 1.0.0', 'version: one');
      await expect(release()).rejects.toThrow('info.version: one is not a version such as 1.0.0');
      await edit('operationId: getCat', 'operationId: listCats');
      expect(await release()).toMatchObject({ kind: 'refused', findings: [{ rule: 'operation-id-duplicate' }] });
      const { code, stderr } = await runHere('scripts/release.ts', ['--contracts', contracts, '--out', 'none']);
      expect(stderr).toContain('operation-id-duplicate');
      expect(code).toBe(1);
    }));

  test('whose record is damaged is told', () =>
    withReleased(async ({ contracts, release }) => {
      await writeFile(join(contracts, 'released/releases.json'), '{');
      await expect(release()).rejects.toThrow('releases.json cannot be read');
      const change = { impact: 'minor', area: 'rest', rule: 'added', message: '', facts: { keyword: 1 } };
      const record = [{ version: '1.0.0', apiVersion: 'v1', date: '2026-11-21', changes: [change] }];
      await writeFile(join(contracts, 'released/releases.json'), JSON.stringify(record));
      await expect(release()).rejects.toThrow('cannot be read: it/0/changes/0/facts/keyword must be string.');
    }));
});
