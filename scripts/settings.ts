import { readFile, writeFile } from 'node:fs/promises';
import { settingsTable } from '../src/runtime/settings/settings-table.ts';

// Writes the table of settings into docs/settings.md, between its two markers.

const PAGE = 'docs/settings.md';
const TABLE = /(?<=^<!-- settings -->\n)[\s\S]*(?=^<!-- \/settings -->$)/m;

const text = await readFile(PAGE, 'utf8');
if (!TABLE.test(text)) throw new Error(`${PAGE} has no place for the table: <!-- settings --> and <!-- /settings -->.`);
await writeFile(
  PAGE,
  text.replace(TABLE, () => `${settingsTable()}\n`),
);
