import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { HEADER } from '../../../src/compiler/sdl/generated-folder.ts';
import { watchFolders } from '../../../src/tools/dev/watch.ts';
import { eventually } from '../../support/eventually.ts';
import { withFolder } from '../../support/folder.ts';

const sources = { 'contracts/openapi.yaml': 'a', 'first/index.ts': 'a', 'second/index.ts': 'a' };
const generated = Object.fromEntries(
  ['errors.ts', 'schema.graphql', 'openapi.json'].map((name) => [`output/${name}`, HEADER]),
);

it('a watched folder changes with its sources, and not with what is generated below it', () =>
  withFolder({ ...sources, ...generated }, async (root) => {
    const at = (...names: string[]) => join(root, ...names);
    const [contracts, first, second] = [at('contracts'), at('first'), at('second')];
    const changed = vi.fn<(folders: ReadonlySet<string>) => void>();
    const end = watchFolders([contracts, first, second, at('missing')], changed);
    const seen = () => new Set(changed.mock.calls.flatMap(([folders]) => [...folders]));
    try {
      // Changes come in their order: once another folder's is told, so would be what came before it.
      await rename(at('output'), join(contracts, 'generated'));
      await writeFile(join(first, 'index.ts'), 'b');
      await eventually(() => expect(seen()).toContain(first));
      await writeFile(join(contracts, 'generated', 'schema.graphql'), 'again');
      await writeFile(join(second, 'index.ts'), 'b');
      await eventually(() => expect(seen()).toContain(second));
      expect(seen()).not.toContain(contracts);
      await writeFile(join(contracts, 'openapi.yaml'), 'b');
      await eventually(() => expect(seen()).toContain(contracts));
    } finally {
      end();
    }
  }));
