import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { readField } from '../../../src/authoring/scaffold/field.ts';
import { addResource } from '../../../src/authoring/scaffold/new-resource.ts';
import { nounOf } from '../../../src/authoring/scaffold/noun.ts';
import type { Block } from './blocks.ts';
import { generate } from './project.ts';
import { statementsIn } from './shell.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const CREATE = 'npm run new -- resource ';

/**
 * Takes the steps that blocks show with the storefront, in a folder: `npm run new`, edits of the contract; then generates.
 * Returns the files that each `npm run new` wrote, by path below the folder.
 */
export async function takeSteps(folder: string, blocks: readonly Block[]): Promise<readonly (readonly string[])[]> {
  for (const path of ['contracts', 'src/handlers']) await cp(join(root, path), join(folder, path), { recursive: true });
  await writeFile(join(folder, 'src/index.ts'), `export * from '${join(root, 'src/index.ts')}';\n`);
  const written: (readonly string[])[] = [];
  for (const { language, text, markers } of blocks) {
    if (language === 'sh')
      for (const { words } of statementsIn(text).filter((one) => one.text.startsWith(CREATE)))
        written.push(await create(folder, words.slice(words.indexOf('resource') + 1)));
    if (language === 'yaml' && markers.in) await refine(folder, parse(text) as object, markers.in.split(' '));
  }
  await generate(join(folder, 'contracts'), join(folder, 'generated'));
  return written;
}

/** `npm run new -- resource COLLECTION FIELD…`. */
async function create(folder: string, [collection, ...fields]: readonly string[]): Promise<readonly string[]> {
  const outcome = await addResource(join(folder, 'contracts'), nounOf(collection!), fields.map(readField));
  if (outcome.kind === 'refused') throw new Error(outcome.findings.map(({ message }) => message).join('\n'));
  return outcome.files.map((path) => path.slice(folder.length + 1));
}

/** Puts properties into schemas of the contract. */
async function refine(folder: string, properties: object, schemas: readonly string[]): Promise<void> {
  for (const name of schemas) {
    const file = join(folder, 'contracts/schemas', `${name}.yaml`);
    const schema = parse(await readFile(file, 'utf8')) as { readonly properties: object };
    await writeFile(file, stringify({ ...schema, properties: { ...schema.properties, ...properties } }));
  }
}
