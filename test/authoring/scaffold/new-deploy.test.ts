import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { newDeploy } from '../../../src/authoring/new-deploy.ts';
import { withFolder } from '../../support/folder.ts';

const MANIFEST = JSON.stringify({ name: '@acme/bean_shop', version: '1.4.0' });

/** Writes the files into a folder; resolves with their texts. */
async function deployedIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const paths = await newDeploy(folder);
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(folder, path), 'utf8')] as const)),
  );
}

test('a project has all that this repository is deployed by, under the name and version of the project', () =>
  withFolder({ 'package.json': MANIFEST }, async (folder) => {
    const texts = await deployedIn(folder);
    expect([...texts.keys()].sort()).toEqual([
      '.dockerignore',
      'Dockerfile',
      'compose.yaml',
      'deploy/alerts.yaml',
      'deploy/dashboard.json',
      'deploy/kubernetes.yaml',
      'deploy/nginx.conf',
      'deploy/patroni/haproxy.cfg',
      'deploy/patroni/member.env',
      'deploy/patroni/patroni.yml',
    ]);
    const compose = parse(texts.get('compose.yaml')!);
    expect([compose.name, compose.services.postgres.environment.POSTGRES_DB]).toEqual(['bean-shop', 'bean-shop']);
    const [job] = parseAllDocuments(texts.get('deploy/kubernetes.yaml')!).map((one) => one.toJS());
    expect(job.metadata.name).toBe('bean-shop-migrate');
    expect(job.spec.template.spec.containers[0].image).toBe('registry.example.com/bean-shop:1.4.0');
    expect(texts.get('deploy/alerts.yaml')).toContain('lockstep_workers{job="bean-shop"}');
    JSON.parse(texts.get('deploy/dashboard.json')!);
  }));

test.each([
  ['npm', 'package-lock.json', 'COPY package.json package-lock.json .npmrc* ./', 'npm ci --ignore-scripts', 'npx'],
  [
    'pnpm',
    'pnpm-lock.yaml',
    'COPY package.json pnpm-lock.yaml .npmrc* pnpm-workspace.yaml* ./',
    'npm install --global corepack && corepack enable && pnpm install --frozen-lockfile --ignore-scripts',
    'pnpm exec',
  ],
  [
    'bun',
    'bun.lock',
    'COPY package.json bun.lock .npmrc* bunfig.toml* ./',
    'npm install --global bun && bun install --frozen-lockfile --ignore-scripts',
    'bun x',
  ],
])('the image of a project of %s installs what its lock file says', (_, lock, copy, install, run) =>
  withFolder({ 'package.json': MANIFEST, [lock]: '' }, async (folder) => {
    const texts = await deployedIn(folder);
    const dockerfile = texts.get('Dockerfile')!;
    expect(dockerfile).toContain(`\n${copy}\nRUN ${install}\n`);
    expect(dockerfile).toContain(`\nRUN ${run} lockstep image --out /image\n`);
    expect(texts.get('.dockerignore')).toContain(`\n!${lock}\n`);
  }),
);

test('each manager has its own settings beside the lock file in the image', () =>
  withFolder({ 'package.json': MANIFEST, 'yarn.lock': '# yarn lockfile v1' }, async (folder) => {
    const texts = await deployedIn(folder);
    expect(texts.get('.dockerignore')).toContain('\n!.npmrc\n!.yarnrc.yml\n');
    expect(texts.get('Dockerfile')).toContain('corepack enable && yarn install --frozen-lockfile');
  }));

test('a file that is there already stays, and nothing is written', () =>
  withFolder({ 'package.json': MANIFEST, 'deploy/nginx.conf': 'ours' }, async (folder) => {
    await expect(newDeploy(folder)).rejects.toThrow('deploy/nginx.conf: already there. Nothing was written.');
    expect(await readFile(join(folder, 'deploy/nginx.conf'), 'utf8')).toBe('ours');
    await expect(readFile(join(folder, 'Dockerfile'))).rejects.toThrow();
  }));
