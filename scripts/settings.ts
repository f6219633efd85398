import { readFile, writeFile } from 'node:fs/promises';
import { defineCommand } from '../src/tools/define-command.ts';
import { runScript } from '../src/tools/run-command.ts';

const PAGE = 'docs/settings.md';
const TABLE = /(?<=^<!-- settings -->\n)[\s\S]*(?=^<!-- \/settings -->$)/m;

export const command = defineCommand('settings', {
  description: `Writes the table of settings into ${PAGE}, between its two markers.`,
  examples: [{ what: 'after changing a setting', args: '' }],
}).action(async () => {
  const { settingsTable } = await import('../src/runtime/settings/index.ts');
  const text = await readFile(PAGE, 'utf8');
  if (!TABLE.test(text))
    throw new Error(`${PAGE} has no place for the table: <!-- settings --> and <!-- /settings -->.`);
  await writeFile(
    PAGE,
    text.replace(TABLE, () => `${settingsTable()}\n`),
  );
});

if (import.meta.main) void runScript(command);
