import type { AddOptions } from '../src/authoring/scaffold/index.ts';
import { ACCESS, ADDITIONS, CI, DEPLOY, ID_KINDS, SCALARS } from '../src/authoring/scaffold/words/index.ts';
import { ConfigError } from '../src/descriptor/config-error.ts';
import { defineCommand } from '../src/tools/define-command.ts';
import { choiceArgument, choiceOption } from '../src/tools/option-values.ts';
import { runScript } from '../src/tools/run-command.ts';

const NEXT = `Next:
  npm run dev            serves it, and follows what you change in these files: descriptions, bounds, filters, scopes
  npm run contract       lint, conventions, parity, breaking changes
  npm run migrate        brings the tables to this shape, where the server does not at boot`;
const NEXT_OF_ACCESS = `Next: read it, and make it say what you mean.
  npm run contract       asks what it says of every protocol
  npm run explain        says why a caller is answered so`;
const NEXT_OF_CI = `Next: commit it. docs/releases.md says what pull requests of forks get, and what to let a code owner review.`;
const NEXT_OF_DEPLOY = `Next: read them, and write in your registry and your namespaces; docs/operations.md says what they do.
  docker build .         makes the image`;
const HANDLER =
  'Next: its handlers, for both protocols, into `handlers` of src/handlers/index.ts; ApiError is in generated/errors.ts:';

export const command = defineCommand('new', {
  description: `Adds to both sides of a contract, checks that they agree, and generates. When anything is wrong, nothing is written.

  resource books FIELD...           with its six actions; books/copies is a sub-resource of books
  field books FIELD...              to the resource, its input and its patch
  reference books author:authors    the property authorId, and the field author
  filter books status pages:gte,lte title:contains
  sort books title                  in both directions
  operation lendBook 'POST /books/{bookId}/lend' FIELD...   custom; the fields are its body
  error BOOK_ON_LOAN 409 'A reader has it.'
  access                            tests of who may do what, from the rules of the contract, into access.yaml beside it
  ci                                a workflow of GitHub that judges pull requests, and keeps one comment about each
  deploy                            a Dockerfile, a compose file, and deploy/: Kubernetes, nginx, alerts, a dashboard, Patroni

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
    { what: 'what a list can be narrowed by', args: 'filter books title:contains' },
    { what: 'tests of the rules of access, to start from', args: 'access' },
    { what: 'what the project is deployed by', args: 'deploy' },
    { what: 'what goes with a resource', args: 'resource books --remove --dry-run' },
  ],
})
  .addArgument(choiceArgument('<what>', 'what to add', [...ADDITIONS, ACCESS, CI, DEPLOY]))
  .argument(
    '[name]',
    'the collection, such as books or line-items; the operationId; the error code; not for access, ci and deploy',
  )
  .argument('[words...]', "fields, such as title:string! 'status:enum(DRAFT,PUBLISHED)!', filters, properties, a route")
  .option('--singular <name>', 'what one of a collection is called, where it cannot be told from the plural')
  .addOption(
    choiceOption(
      '--id <kind>',
      'what the ids of a resource are: the server makes UUIDs, the database counts integers, callers send texts',
      ID_KINDS,
    ),
  )
  .option('--returns <schema>', 'the schema that an operation answers; without it, 204')
  .option('--remove', 'take it away instead, unless something else needs it; words are names, such as title')
  .option('--dry-run', 'print the differences, and write nothing')
  .option('--contracts <dir>', 'folder of the contract', 'contracts')
  .option('--out <dir>', 'folder of what is generated', 'generated')
  .action(async (what, name, words, { contracts, out, remove, dryRun, ...flags }, self) => {
    if (what === ACCESS || what === CI || what === DEPLOY) {
      if (name !== undefined) return self.error(`error: ${what} is of the whole contract, and takes no ${name}`);
      if (remove === true || dryRun === true)
        return self.error(`error: ${what} is files of its own, which take neither --remove nor --dry-run`);
    }
    if (what === DEPLOY) {
      const { newDeploy } = await import('../src/authoring/new-deploy.ts');
      console.log(`Wrote ${(await newDeploy('.')).join(', ')}.\n\n${NEXT_OF_DEPLOY}`);
      return;
    }
    if (what === CI) {
      const { newCi } = await import('../src/authoring/new-ci.ts');
      console.log(`Wrote ${await newCi('.', { contracts, out })}\n\n${NEXT_OF_CI}`);
      return;
    }
    if (what === ACCESS) {
      const { newAccess } = await import('../src/authoring/new-access.ts');
      const { path, refused } = await newAccess({ contracts, out });
      for (const message of refused) console.error(message);
      console.log(`Wrote ${path}\n\n${NEXT_OF_ACCESS}`);
      if (refused.length > 0) process.exitCode = 1;
      return;
    }
    if (name === undefined) return self.error("error: missing required argument 'name'");
    const scaffold = await import('../src/authoring/scaffold/index.ts');
    if (remove === true) {
      const removing = orRefusal(
        () => scaffold.readRemoval(what, name, words),
        (message) => self.error(message),
      );
      process.exitCode = await scaffold.removeFromContract(removing, name, { contracts, out, dryRun });
      return;
    }
    const addition = orRefusal(
      () => scaffold.readAddition(what, name, words, flags),
      (message) => self.error(message),
    );
    const next: AddOptions['next'] = (model) =>
      what === 'operation' ? `${HANDLER}\n\n${scaffold.handlerStub(model, name)}` : NEXT;
    process.exitCode = await scaffold.addToContract(addition, { contracts, out, dryRun, next });
  });

/** Words that cannot be read are a command line that is not valid. */
function orRefusal<T>(read: () => T, refuse: (message: string) => never): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConfigError) refuse(`error: ${error.message}`);
    throw error;
  }
}

if (import.meta.main) void runScript(command);
