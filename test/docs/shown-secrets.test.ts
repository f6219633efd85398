import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MIN_SECRET_BYTES } from '../../src/runtime/auth/keys.ts';
import { readConfig } from '../../src/runtime/settings/config.ts';

const root = join(import.meta.dirname, '..', '..');

/** Texts that are given to `JWT_SECRET` as they stand, and are long enough for it. */
function secretsIn(text: string): readonly string[] {
  const given = text.matchAll(/JWT_SECRET["']?(?:=|\s*[:,]\s*|\s+)(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"'`|]+))/g);
  return [...given]
    .map(([, double, single, bare]) => (double ?? single ?? bare)!)
    .filter((value) => !value.startsWith('$') && Buffer.byteLength(value) >= MIN_SECRET_BYTES);
}

/** Files that readers copy from. */
const files = [
  ...['README.md', 'CONTRIBUTING.md', 'compose.yaml', 'Dockerfile'],
  ...['docs', 'deploy'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.png$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)),
  ),
];

describe('a secret that our documents show', () => {
  it('is found, however it is written', () => {
    const secret = 'this-one-is-as-long-as-it-has-to-be';
    for (const text of [
      `JWT_SECRET=${secret} npm start`,
      `JWT_SECRET="${secret}" npm start`,
      `      JWT_SECRET: ${secret}\n`,
      `"JWT_SECRET": "${secret}",`,
      `--from-literal=JWT_SECRET='${secret}'`,
      `ENV JWT_SECRET ${secret}`,
      `readConfig({ JWT_SECRET: '${secret}' })`,
    ])
      expect(secretsIn(text)).toEqual([secret]);
    expect(secretsIn('JWT_SECRET="$(openssl rand -hex 32 | tr -d a)"')).toEqual([]);
  });

  it.each(files)('is refused in production: %s', (file) => {
    for (const JWT_SECRET of secretsIn(readFileSync(join(root, file), 'utf8')))
      expect(() => readConfig({ NODE_ENV: 'production', JWT_SECRET }), JWT_SECRET).toThrow('published as an example');
  });
});
