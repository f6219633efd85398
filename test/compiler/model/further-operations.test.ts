import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..', '..');

/** What names one kind of a resource's further operations. */
const KINDS =
  /\b(?:lookupsOf|throughsOf|(?:Through|Lookup)(?:Descriptor|Draft)|throughs|lookups|otherKeys)\b|'(?:lookup|through)'/;
/** What only lists through another resource have: a file that reads these knows them, whatever it calls them. */
const JOINED = /\bnestedOf\b[\s\S]*[{,]\s*(?:join|from|to)\b\s*[,}]/;
/** A path of a file is a name, too. */
const IMPORTS = /^(?:import|export|\}) .*from '.*';$/gm;

/** All others read the list of a resource's operations, whatever kinds there are. To be lowered where it can be. */
const MOST_FILES = 16;

it('few files know one kind of further operations from another', async () => {
  const found: string[] = [];
  for await (const file of glob('src/**/*.ts', { cwd: root })) {
    const text = (await readFile(join(root, file), 'utf8')).replace(IMPORTS, (line) => line.replace(/'.*'/, ''));
    if (KINDS.test(text) || JOINED.test(text)) found.push(file);
  }
  console.log(`${found.length} files know one kind of further operations from another`);
  expect(found.length).toBeGreaterThan(0);
  expect(found.length, found.sort().join('\n')).toBeLessThanOrEqual(MOST_FILES);
});
