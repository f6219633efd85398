import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type WatchedPlaces, watchPlaces } from '../../../src/authoring/dev/watch.ts';
import { HEADER } from '../../../src/compiler/sdl/generated-folder.ts';
import { eventually } from '../../support/eventually.ts';
import { withFolder } from '../../support/folder.ts';

const sources = { 'contracts/openapi.yaml': 'a', 'first/index.ts': 'a', 'second/index.ts': 'a' };
const generated = Object.fromEntries(
  ['errors.ts', 'schema.graphql', 'openapi.json'].map((name) => [`output/${name}`, HEADER]),
);

/** Watches places below a folder; `seen` are the paths that were reported. */
const withWatched = (
  places: (at: (...names: string[]) => string) => WatchedPlaces,
  work: (at: (...names: string[]) => string, seen: () => ReadonlySet<string>) => Promise<void>,
) =>
  withFolder({ ...sources, ...generated }, async (root) => {
    const at = (...names: string[]) => join(root, ...names);
    const changed = vi.fn<(paths: readonly string[]) => void>();
    const end = watchPlaces(places(at), changed);
    try {
      await work(at, () => new Set(changed.mock.calls.flatMap(([paths]) => paths)));
    } finally {
      end();
    }
  });

describe('watching', () => {
  it('names the sources that change in a folder, and not what is generated below it', () =>
    withWatched(
      (at) => ({ folders: [at('contracts'), at('first'), at('second'), at('missing')] }),
      async (at, seen) => {
        // Changes come in their order: once another folder's is reported, so would be what came before it.
        await rename(at('output'), at('contracts', 'generated'));
        await writeFile(at('first', 'index.ts'), 'b');
        await eventually(() => expect(seen()).toContain(at('first', 'index.ts')));
        await writeFile(at('contracts', 'generated', 'schema.graphql'), 'again');
        await writeFile(at('second', 'index.ts'), 'b');
        await eventually(() => expect(seen()).toContain(at('second', 'index.ts')));
        expect([...seen()].filter((path) => path.startsWith(at('contracts')))).toEqual([]);
        await writeFile(at('contracts', 'openapi.yaml'), 'b');
        await eventually(() => expect(seen()).toContain(at('contracts', 'openapi.yaml')));
      },
    ));

  it('follows a single file, also one that is made or replaced later, and not its neighbours', () =>
    withWatched(
      (at) => ({ folders: [at('first')], files: [at('codegen.ts')] }),
      async (at, seen) => {
        await writeFile(at('neighbour.ts'), 'a');
        await writeFile(at('codegen.ts'), 'a');
        await eventually(() => expect(seen()).toContain(at('codegen.ts')));
        const before = seen().size;
        await writeFile(at('draft.ts'), 'b');
        await rename(at('draft.ts'), at('codegen.ts'));
        await writeFile(at('first', 'index.ts'), 'b');
        await eventually(() => expect(seen()).toContain(at('first', 'index.ts')));
        expect(seen().size).toBe(before + 1);
        expect(seen()).not.toContain(at('neighbour.ts'));
      },
    ));
});
