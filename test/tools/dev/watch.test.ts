import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { HEADER } from '../../../src/compiler/sdl/generated-folder.ts';
import { watchFolders } from '../../../src/tools/dev/watch.ts';
import { withFolder } from '../../support/folder.ts';

/** More than enough to be called back in; a machine too busy for that makes no test fail. */
const QUIET_MS = 300;

it('a watched folder changes with its sources, and not with what is generated below it', () =>
  withFolder({ 'openapi.yaml': 'a' }, async (folder) => {
    const changed = vi.fn();
    const end = watchFolders([folder, join(folder, 'missing')], changed);
    try {
      await mkdir(join(folder, 'generated'));
      for (const name of ['errors.ts', 'schema.graphql', 'openapi.json'])
        await writeFile(join(folder, 'generated', name), HEADER);
      await delay(QUIET_MS);
      await writeFile(join(folder, 'generated', 'schema.graphql'), 'again');
      await delay(QUIET_MS);
      expect(changed).not.toHaveBeenCalled();
      await writeFile(join(folder, 'openapi.yaml'), 'b');
      await vi.waitFor(() => expect(changed).toHaveBeenCalledWith(new Set([folder])), { timeout: 20_000 });
    } finally {
      end();
    }
  }));
