import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** The bars; `tools/derive` counts as a room of the compiler, since it works on the same correspondence. */
const MOST = { arrows: 47, crossing: 717, filesOfLargest: 63 };

/** A folder right in `src/compiler/`; the files beside them are one more. */
function roomOf(file: string): string | undefined {
  if (file.startsWith('src/tools/derive/')) return 'tools/derive';
  const [, room] = /^src\/compiler\/(?:([^/]+)\/)?/.exec(file) ?? [undefined, ''];
  return room === '' ? undefined : (room ?? '*.ts');
}

it('few arrows lead between the rooms of the compiler, and none of them holds everything', async () => {
  const files = new Map<string, number>();
  const arrows = new Set<string>();
  let crossing = 0;
  for await (const path of glob('src/{compiler,tools/derive}/**/*.ts', { cwd: root })) {
    const file = path.replaceAll('\\', '/');
    const room = roomOf(file)!;
    files.set(room, (files.get(room) ?? 0) + 1);
    for (const [, target] of readFileSync(join(root, file), 'utf8').matchAll(/\bfrom '(\.[^']+)'/g)) {
      const other = roomOf(normalize(join(dirname(file), target!)).replaceAll('\\', '/'));
      if (other === undefined || other === room) continue;
      arrows.add(`${room} > ${other}`);
      crossing++;
    }
  }
  const counted = { arrows: arrows.size, crossing, filesOfLargest: Math.max(...files.values()) };
  console.log(
    `${counted.arrows} arrows · ${crossing} imports that cross rooms · ${counted.filesOfLargest} files in the largest`,
  );
  for (const [name, most] of Object.entries(MOST))
    expect(counted[name as keyof typeof MOST], name).toBeLessThanOrEqual(most);
});
