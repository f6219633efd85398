import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..', '..');

/** What names one kind of a resource's further operations. */
const KINDS =
  /\b(?:lookupsOf|throughsOf|(?:Through|Lookup)(?:Descriptor|Draft)|throughs|lookups)\b|'(?:lookup|through)'/;

/** All others read the list of a resource's operations, whatever kinds there are. To be lowered where it can be. */
const MOST_FILES = 42;

it('few files know one kind of further operations from another', async () => {
  const found: string[] = [];
  for await (const file of glob('src/**/*.ts', { cwd: root }))
    if (KINDS.test(await readFile(join(root, file), 'utf8'))) found.push(file);
  console.log(`${found.length} files know one kind of further operations from another`);
  expect(found.length).toBeGreaterThan(0);
  expect(found.length, found.sort().join('\n')).toBeLessThanOrEqual(MOST_FILES);
});
