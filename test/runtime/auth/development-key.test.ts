import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { developmentKeys } from '../../../src/runtime/auth/development-key.ts';

const secretOf = (folder: string) => developmentKeys(folder).key.export().toString();

describe('the development key', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lockstep-key-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is made once, in a folder that need not exist', () => {
    const data = join(folder, 'deep', 'data');
    expect(secretOf(data)).toBe(secretOf(data));
    expect(secretOf(data).length).toBeGreaterThanOrEqual(32);
  });

  it('differs from folder to folder', () => {
    expect(secretOf(join(folder, 'a'))).not.toBe(secretOf(join(folder, 'b')));
  });

  it.skipIf(process.platform === 'win32')('is readable by its owner only, beside no draft', () => {
    secretOf(folder);
    const files = readdirSync(folder);
    expect(files).toHaveLength(1);
    expect(statSync(join(folder, files[0]!)).mode & 0o777).toBe(0o600);
  });

  it('is the same for servers that start at once', async () => {
    const code = `
      const { parentPort, workerData } = require('node:worker_threads');
      import(workerData.module).then(({ developmentKeys }) =>
        parentPort.postMessage(developmentKeys(workerData.folder).key.export().toString()));`;
    const module = new URL('../../../src/runtime/auth/development-key.ts', import.meta.url).href;
    const start = () =>
      new Promise((resolve, reject) => {
        const worker = new Worker(code, { eval: true, workerData: { module, folder } });
        worker.once('message', resolve).once('error', reject);
      });
    const secrets = await Promise.all([start(), start(), start(), start()]);
    expect(new Set(secrets).size).toBe(1);
  });

  it('that was cut short is refused, with the file to delete', () => {
    secretOf(folder);
    const file = join(folder, readdirSync(folder)[0]!);
    writeFileSync(file, 'short');
    expect(() => developmentKeys(folder)).toThrow(`${file} does not contain a secret of at least 32 bytes`);
  });
});
