import { InvalidArgumentError } from '@commander-js/extra-typings';
import { defineCommand } from '../src/tools/command/define-command.ts';
import { runScript } from '../src/tools/command/run-command.ts';
import { choiceArgument } from '../src/tools/command/values.ts';
import { type Field, readField, SCALARS } from '../src/tools/scaffold/field.ts';

function readFields(text: string, previous: readonly Field[] = []): readonly Field[] {
  try {
    const field = readField(text);
    if (!previous.some(({ name }) => name === field.name)) return [...previous, field];
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
  throw new InvalidArgumentError('Another field has this name already.');
}

export const command = defineCommand('new', {
  description: `Adds a resource with its six actions to both sides of a contract, checks that they agree, and generates. When anything is wrong, nothing is written.

A field is name:type, with ! if it is required. The types:

  ${Object.keys(SCALARS).join(' ')}
  enum(A,B)   one of these values
  ref(users)  a reference to a row of another resource

:unique and :immutable can follow. Quote what your shell would interpret.`,
  examples: [
    { what: 'authors with a name', args: "resource authors 'name:string!' born:date" },
    {
      what: 'books of authors',
      args: "resource books 'title:string!' 'author:ref(authors)!' 'isbn:string!:unique:immutable'",
    },
  ],
})
  .addArgument(choiceArgument('<what>', 'what to add', ['resource']))
  .argument('<collection>', 'its path: a plural in kebab-case, such as books or line-items')
  .argument(
    '<fields...>',
    "its fields, such as title:string! pages:integer 'status:enum(DRAFT,PUBLISHED)!'",
    readFields,
  )
  .option('--singular <name>', 'what one of them is called, where it cannot be told from the plural')
  .option('--contracts <dir>', 'folder of the contract', 'contracts')
  .option('--out <dir>', 'folder of what is generated', 'generated')
  .action(async (_what, collection, fields, options) => {
    const { addToContract } = await import('../src/tools/scaffold/add-to-contract.ts');
    process.exitCode = await addToContract({ collection, fields, ...options });
  });

if (import.meta.main) void runScript(command);
