import { expect, it } from 'vitest';
import { Command } from '../../support/command.ts';
import { withFolder } from '../../support/folder.ts';
import { hasPostgres } from '../../support/postgres.ts';
import { databaseOf } from './support.ts';

const TABLES = 150;

/** Each refers to the one before it. */
const table = (number: number): string =>
  `create table t_${number} (id serial primary key, name varchar(80) not null check (length(name) > 2)${
    number === 0 ? '' : `, before_id integer references t_${number - 1}`
  });`;

/** Prints the bytes that the process has allocated, of which most are garbage by then: a count, unlike its size. */
const COUNTER = `import v8 from 'node:v8';
process.on('exit', () => console.error('allocated', v8.getHeapStatistics().total_allocated_bytes));`;

async function bytesOf(tables: number): Promise<number> {
  const url = await databaseOf(Array.from({ length: tables }, (_, i) => table(i)).join('\n'));
  return withFolder({}, async (folder) => {
    const options = ['--database', url, '--out', folder, '--json'];
    const command = new Command('scripts/import.ts', options, {
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(COUNTER)}`,
    });
    const { code, stdout, stderr } = await command.finished;
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout).resources).toHaveLength(tables);
    return Number(/allocated (\d+)/.exec(stderr)?.[1]);
  });
}

/** Measured: 5.5 MB, and 8.3 if each resource looks at all operations. */
const MOST_BYTES = 7_000_000;

it.runIf(hasPostgres)('import allocates little for each of many tables', async () => {
  const [some, more] = [await bytesOf(TABLES), await bytesOf(2 * TABLES)];
  expect(some).toBeGreaterThan(0);
  expect((more - some) / TABLES).toBeLessThan(MOST_BYTES);
});
