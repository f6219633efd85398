import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { writeDocs } from '../../../src/readers/write-docs.ts';

it('writes what there is over what there was, and removes no file of others', async () => {
  const out = await mkdtemp(join(tmpdir(), 'lockstep-'));
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const isThere = (path: string): Promise<boolean> =>
    access(join(out, path)).then(
      () => true,
      () => false,
    );
  try {
    await writeFile(join(out, 'CNAME'), 'docs.example.com');
    await writeDocs({ contracts: 'test/fixtures/cats', out });
    const first = await readFile(join(out, 'llms-full.txt'), 'utf8');
    await writeFile(join(out, 'docs/operations/gone.html'), 'of an operation that was');
    await writeDocs({ contracts: 'test/fixtures/cats', out });
    expect(await isThere('docs/operations/gone.html')).toBe(false);
    expect([await isThere('CNAME'), await isThere('docs/guides.html')]).toEqual([true, true]);
    expect(await readFile(join(out, 'llms-full.txt'), 'utf8')).toBe(first);
  } finally {
    log.mockRestore();
    await rm(out, { recursive: true });
  }
});
