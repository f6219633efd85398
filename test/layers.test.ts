import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join, posix, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/** What each room of `src/` may import besides itself. Files directly in `src/` wire everything. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  async: [],
  descriptor: [],
  errors: ['descriptor'],
  schema: ['descriptor', 'errors'],
  contract: ['descriptor', 'errors'],
  codegen: ['descriptor', 'errors', 'contract'],
  gate: ['descriptor', 'errors', 'contract', 'codegen', 'storage'],
  auth: ['async', 'descriptor', 'errors'],
  storage: ['async', 'descriptor', 'errors'],
  engine: ['async', 'descriptor', 'errors', 'schema', 'auth', 'storage'],
  limits: ['async', 'errors'],
  redis: ['engine', 'limits'],
  telemetry: ['async', 'storage'],
  http: ['descriptor', 'errors'],
  rest: ['async', 'descriptor', 'errors', 'schema', 'auth', 'engine', 'http', 'limits'],
  graphql: ['async', 'descriptor', 'errors', 'schema', 'auth', 'engine', 'http', 'limits', 'telemetry'],
  site: ['descriptor', 'errors'],
  handlers: ['engine', 'rest', 'generated'],
};

/** Runs before the server does, and is never part of it. */
const COMPILER = new Set(['contract', 'codegen', 'gate']);

const WIRING = new Set(['handlers', 'generated', ...Object.keys(MAY_IMPORT)]);

interface Import {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** `engine` for `src/engine/actions/get.ts`, `generated` for anything there, `src` for the wiring. */
function roomOf(path: string): string {
  const [top, room, ...rest] = path.split('/');
  if (top !== 'src') return top!;
  return rest.length === 0 ? 'src' : room!;
}

async function imports(): Promise<Import[]> {
  const found: Import[] = [];
  for await (const path of glob('src/**/*.ts', { cwd: root })) {
    const file = path.replaceAll('\\', '/');
    for (const [, target] of readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
      const to = relative(root, join(root, dirname(file), target!)).replaceAll('\\', '/');
      found.push({ file, from: roomOf(file), to: roomOf(posix.normalize(to)) });
    }
  }
  return found;
}

describe('layers', () => {
  it('has only arrows that the design allows', async () => {
    const forbidden = (await imports()).filter(({ from, to }) => {
      if (from === to) return false;
      const allowed = from === 'src' ? [...WIRING].filter((room) => !COMPILER.has(room)) : MAY_IMPORT[from];
      return !allowed?.includes(to);
    });
    expect(forbidden).toEqual([]);
  });

  it('knows the shipped contract in handlers only', async () => {
    const words = /\b(storefront|users?|products?|reviews?|orders|sku)\b/i;
    const guilty: string[] = [];
    for await (const path of glob('src/**/*.ts', { cwd: root })) {
      const file = path.replaceAll('\\', '/');
      if (file.startsWith('src/handlers/')) continue;
      const code = readFileSync(join(root, file), 'utf8')
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .replace(/\/\/.*$/gm, '');
      if (words.test(code)) guilty.push(file);
    }
    expect(guilty).toEqual([]);
  });
});
