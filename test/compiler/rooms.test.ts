import { expect, it } from 'vitest';
import { graphOf, importsOf, sourceFiles } from '../support/rooms.ts';

/** The bars; `authoring/sync` counts as a room of the compiler, since it works on the same correspondence. */
const MOST = { arrows: 45, crossing: 712, filesOfLargest: 62 };

/** A folder right in `src/compiler/`; the files beside them are one more. */
function roomOf(file: string): string | undefined {
  if (file.startsWith('src/authoring/sync/')) return 'authoring/sync';
  const [, room] = /^src\/compiler\/(?:([^/]+)\/)?/.exec(file) ?? [undefined, ''];
  return room === '' ? undefined : (room ?? '*.ts');
}

/** A face names what others enter a room for, and holds nothing. */
const isNotFace = (file: string): boolean => !file.endsWith('/index.ts');

it('few arrows lead between the rooms of the compiler, and none of them holds everything', async () => {
  const files = (await sourceFiles()).filter((file) => roomOf(file) !== undefined);
  const imports = importsOf(files).filter(({ target }) => roomOf(target) !== undefined);
  const counted = {
    arrows: [...graphOf(imports, roomOf).values()].reduce((sum, targets) => sum + targets.size, 0),
    crossing: imports.filter(({ file, target }) => roomOf(file) !== roomOf(target)).length,
    filesOfLargest: Math.max(...[...Map.groupBy(files.filter(isNotFace), roomOf).values()].map(({ length }) => length)),
  };
  console.log(
    `${counted.arrows} arrows · ${counted.crossing} imports that cross rooms · ${counted.filesOfLargest} files in the largest`,
  );
  for (const [name, most] of Object.entries(MOST))
    expect(counted[name as keyof typeof MOST], name).toBeLessThanOrEqual(most);
});
