import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KEEP_NOTHING, type Keep } from '../descriptor/keep.ts';
import { once } from '../descriptor/once.ts';

/** `off`, or a folder. */
const VARIABLE = 'LOCKSTEP_CACHE';
const USUAL = 'node_modules/.cache/lockstep';
const MAX_BYTES = 256 * 2 ** 20;
const MAX_AGE_MS = 14 * 86_400_000;
/** A kind and a hash, and the process that has begun to write it. */
const OWN_NAME = /^[a-z]+(?:-[a-z]+)*-[0-9a-f]{40}(?:\.\d+\.draft)?$/;
/** What some package managers write when they have installed: it has the packages of packages, too. */
const INSTALLED = ['.package-lock.json', '.modules.yaml', '.yarn-state.yml'].map((name) => join('node_modules', name));

/** What commands keep between their runs: in the project's `node_modules`, if it has that, else nothing. */
export const keptFiles = once((): Keep => {
  const chosen = process.env[VARIABLE];
  if (chosen === 'off') return KEEP_NOTHING;
  if (chosen) return keepIn(chosen);
  return existsSync('node_modules') ? keepIn(USUAL) : KEEP_NOTHING;
});

/** A file for each text. A file that is damaged counts as absent, and a folder that cannot be written holds nothing. */
export function keepIn(folder: string, madeBy = madeByThis(), maxBytes = MAX_BYTES): Keep {
  const pathOf = (kind: string, inputs: readonly string[]): string => {
    const hash = createHash('sha256').update(madeBy);
    for (const input of inputs) hash.update(`\0${input.length}\0`).update(input);
    return join(folder, `${kind}-${hash.digest('hex').slice(0, 40)}`);
  };
  // The first text, and then every eighth of the size.
  let bytesLeft = 0;
  return {
    read: (kind, inputs) => {
      const path = pathOf(kind, inputs);
      return tried(() => {
        const text = readFileSync(path, 'utf8');
        const end = text.indexOf('\n');
        const whole = text.slice(end + 1);
        if (text.slice(0, end) !== sum(whole)) return undefined;
        utimesSync(path, new Date(), new Date());
        return whole;
      });
    },
    write: (kind, inputs, text) => {
      const path = pathOf(kind, inputs);
      const draft = `${path}.${process.pid}.draft`;
      tried(() => {
        mkdirSync(folder, { recursive: true });
        writeFileSync(draft, `${sum(text)}\n${text}`);
        renameSync(draft, path);
        bytesLeft -= text.length;
        if (bytesLeft > 0) return;
        removeOldest(folder, maxBytes);
        bytesLeft = maxBytes / 8;
      });
    },
  };
}

const sum = (text: string): string => createHash('sha256').update(text).digest('base64');

function tried<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** What makes the texts besides their inputs: this Node, this Lockstep down to its files, and the packages that were installed. */
function madeByThis(): string {
  const own = fileURLToPath(new URL('../', import.meta.url));
  const files = readdirSync(own, { recursive: true, encoding: 'utf8' }).sort();
  const manifest = findPackageJSON(import.meta.url);
  return [
    process.version,
    ...(manifest === undefined ? [] : manifestsFrom(manifest)),
    ...[...files.map((path) => join(own, path)), ...INSTALLED].map(stateOf),
  ].join('\n');
}

/** A manifest, and those of the packages that it depends on, where they are installed: not each package manager writes a list. */
export function manifestsFrom(path: string): string[] {
  const own = readFileSync(path, 'utf8');
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(own) as Manifest;
  const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const found = names.map((name) => tried(() => findPackageJSON(name, path)));
  return [own, ...found.map((one) => (one === undefined ? '' : readFileSync(one, 'utf8')))];
}

interface Manifest {
  readonly dependencies?: object;
  readonly devDependencies?: object;
  readonly optionalDependencies?: object;
}

function stateOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? `${path} ${stats.size} ${stats.mtimeMs}` : path;
}

/** By age, and then by size: what was used last stays. A chosen folder may hold files of others. */
function removeOldest(folder: string, maxBytes: number): void {
  const files = readdirSync(folder)
    .filter((name) => OWN_NAME.test(name))
    .map((name) => ({ path: join(folder, name), stats: statSync(join(folder, name), { throwIfNoEntry: false }) }))
    .flatMap(({ path, stats }) => (stats?.isFile() ? [{ path, size: stats.size, usedMs: stats.mtimeMs }] : []))
    .sort((a, b) => b.usedMs - a.usedMs);
  let bytes = 0;
  for (const { path, size, usedMs } of files) {
    bytes += size;
    if (bytes > maxBytes || usedMs < Date.now() - MAX_AGE_MS) rmSync(path, { force: true });
  }
}
