import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const text = read('.github/workflows/release.yml');
const { on, permissions, jobs } = parse(text);

const commandsOf = (job: string): string =>
  jobs[job].steps.flatMap(({ run }: { readonly run?: string }) => run ?? []).join('\n');

it('a tag alone releases, of the version that the manifest has, and nothing before every check has passed', () => {
  expect(on).toEqual({ push: { tags: ['v*'] } });
  expect(commandsOf('check')).toMatch(/package\.json'\)\.version.* = "\$GITHUB_REF_NAME"\n\.ci\/run$/);
  const first = Object.entries<{ readonly needs?: string | string[] }>(jobs).filter(([, { needs }]) => !needs);
  expect(first.map(([name]) => name)).toEqual(['check']);
});

it('each job may do no more than it publishes, and no secret is kept', () => {
  expect(permissions).toEqual({});
  expect(
    Object.fromEntries(
      Object.entries<{ readonly permissions: object }>(jobs).map(([name, job]) => [name, job.permissions]),
    ),
  ).toEqual({
    check: { contents: 'read' },
    package: { contents: 'read', 'id-token': 'write' },
    image: { contents: 'read', packages: 'write' },
    clients: { contents: 'write' },
  });
  expect(text).not.toContain('secrets.');
});

it('publishes what the scripts of this repository write', () => {
  const { scripts } = JSON.parse(read('package.json'));
  const called = [...text.matchAll(/npm run (\S+)/g)].map(([, name]) => name!);
  expect(called.filter((name) => !(name in scripts))).toEqual([]);
  expect(commandsOf('package')).toMatch(/npm run build\n[\s\S]*npm publish \.\/dist\/package --provenance/);
  expect(commandsOf('image')).toContain('docker buildx build --push');
  expect(commandsOf('clients')).toMatch(/npm run clients\n[\s\S]*gh release create "\$GITHUB_REF_NAME" --verify-tag/);
});

it('runs on the Node and the Debian that the image has', () => {
  const [, base] = /^FROM (node:[\d.]+-[a-z]+)-slim/m.exec(read('Dockerfile'))!;
  expect(jobs.check.container).toBe(base);
});
