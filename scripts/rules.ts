import { readFile, writeFile } from 'node:fs/promises';
import { defineCommand } from '../src/tools/define-command.ts';
import { runScript } from '../src/tools/run-command.ts';

const PAGE = 'docs/rules.md';
const RULES = /(?<=^<!-- rules -->\n)[\s\S]*(?=^<!-- \/rules -->$)/m;

export const command = defineCommand('rules', {
  description: `Writes the rules of the gate into ${PAGE}, between its two markers.`,
  examples: [{ what: 'after changing a rule or its text', args: '' }],
}).action(async () => {
  const { rulesMarkdown } = await import('../src/compiler/rules/texts/index.ts');
  const text = await readFile(PAGE, 'utf8');
  if (!RULES.test(text)) throw new Error(`${PAGE} has no place for the rules: <!-- rules --> and <!-- /rules -->.`);
  await writeFile(
    PAGE,
    text.replace(RULES, () => `\n${rulesMarkdown()}\n`),
  );
});

if (import.meta.main) void runScript(command);
