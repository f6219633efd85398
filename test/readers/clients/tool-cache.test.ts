import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { keptTool } from '../../../src/readers/clients/common/tool-cache.ts';
import { withFolder } from '../../support/folder.ts';

const inCache = (work: (folder: string) => Promise<void>) =>
  withFolder({}, async (folder) => {
    vi.stubEnv('XDG_CACHE_HOME', folder);
    await work(join(folder, 'lockstep/clients/tool-1'));
    vi.unstubAllEnvs();
  });
const written = (text: string) => (folder: string) => writeFile(join(folder, 'tool'), text);
const textOf = (folder: string) => readFile(join(folder, 'tool'), 'utf8');

it('a tool is made by the first run, and used by all others', () =>
  inCache(async () => {
    const first = await keptTool('tool-1', written('one'));
    expect(await keptTool('tool-1', written('two'))).toBe(first);
    expect(await textOf(first)).toBe('one');
  }));

it('runs at the same time make one each, all of which stay whole', () =>
  inCache(async () => {
    const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const run = (i: number) =>
      keptTool('tool-1', async (folder) => {
        begun[i]?.resolve();
        await begun[1 - i]?.promise;
        await written(`${i}`)(folder);
      });
    const folders = await Promise.all([run(0), run(1)]);
    expect(await Promise.all(folders.map(textOf))).toEqual(['0', '1']);
    expect(folders).toContain(await keptTool('tool-1', written('two')));
  }));

it('a run that fails leaves nothing, and the next one makes the tool', () =>
  inCache(async (tools) => {
    const failing = keptTool('tool-1', () => Promise.reject(new Error('no network')));
    await expect(failing).rejects.toThrow('no network');
    expect(await readdir(tools)).toEqual([]);
    expect(await textOf(await keptTool('tool-1', written('one')))).toBe('one');
  }));
