import type { AddOptions } from '../src/authoring/scaffold/index.ts';
import { ACCESS, ADDITIONS, CI, DEPLOY, ID_KINDS, SCALARS } from '../src/authoring/scaffold/words/index.ts';
import { ConfigError } from '../src/descriptor/config-error.ts';
import { defineCommand } from '../src/tools/define-command.ts';
import { choiceArgument, choiceOption } from '../src/tools/option-values.ts';
import { runScript } from '../src/tools/run-command.ts';

const NEXT = `Next:
  npm run dev            serves it and applies your edits of descriptions, bounds, filters and scopes
  npm run contract       checks lint, conventions, parity and breaking changes
  npm run migrate        changes the tables, if the server does not migrate at boot`;
const NEXT_OF_ACCESS = `Next: read it, and correct the expectations.
  npm run contract       tests them over every protocol
  npm run explain        explains the answer to a caller`;
const NEXT_OF_CI = `Next: commit it. docs/releases.md explains pull requests from forks, and the files for code owners.`;
const NEXT_OF_DEPLOY = `Next: read them, and enter your registry and namespaces. docs/operations.md explains them.
  docker build .         builds the image`;
const HANDLER =
  'Next: add its handlers, for both protocols, to `handlers` in src/handlers/index.ts; generated/errors.ts exports ApiError:';

export const command = defineCommand('new', {
  description: `Adds to both halves of a contract, checks that they agree, and generates. On any error, it writes nothing.

  resource books FIELD...           with six actions; books/copies is a sub-resource of books
  field books FIELD...              to the resource, its input and its patch
  reference books author:authors    the property authorId, and the field author
  filter books status pages:gte,lte title:contains
  sort books title                  in both directions
  totals loans status lentOn:month fee:sum,avg   counts, sums and averages by group, at /loans/totals
  batch loans                       writes of many rows by one request
  links issues labels               PUT and DELETE that link two rows, by a resource that refers to both
  include books author copies       related rows that GET may name, two levels deep
  operation lendBook 'POST /books/{bookId}/lend' FIELD...   a custom operation; the fields are its body
  error BOOK_ON_LOAN 409 'A reader has it.'
  access                            access.yaml, with tests of the access rules
  ci                                a GitHub workflow that judges pull requests and comments on them
  deploy                            a Dockerfile, a compose file, and deploy/: Kubernetes, nginx, alerts, a dashboard, Patroni

A field is name:type, with ! if it is required. The types:

  ${Object.keys(SCALARS).join(' ')}
  enum(A,B)   one of these values
  ref(users)  a reference to a row of another resource

:unique and :immutable can follow. Quote characters that your shell would interpret.`,
  examples: [
    { what: 'authors with a name', args: "resource authors 'name:string!' born:date" },
    {
      what: 'books of authors',
      args: "resource books 'title:string!' 'author:ref(authors)!' 'isbn:string!:unique:immutable'",
    },
    { what: 'filters of a list', args: 'filter books title:contains' },
    { what: 'first tests of the access rules', args: 'access' },
    { what: 'deployment files', args: 'deploy' },
    { what: 'the effect of removing a resource', args: 'resource books --remove --dry-run' },
  ],
})
  .addArgument(choiceArgument('<kind>', 'the kind of addition', [...ADDITIONS, ACCESS, CI, DEPLOY]))
  .argument(
    '[name]',
    'the collection, such as books or line-items; the operationId; the error code; not for access, ci and deploy',
  )
  .argument('[words...]', "fields, such as title:string! 'status:enum(DRAFT,PUBLISHED)!', filters, properties, a route")
  .option('--singular <name>', 'singular of the collection, if it cannot be derived from the plural')
  .addOption(
    choiceOption(
      '--id <kind>',
      'kind of the ids: the server creates UUIDs, the database counts integers, callers send texts',
      ID_KINDS,
    ),
  )
  .option('--returns <schema>', 'schema of the response of an operation (default: none, 204)')
  .option('--remove', 'remove it instead, unless another part needs it; words are names, such as title')
  .option('--dry-run', 'print the differences, and write nothing')
  .option('--contracts <dir>', 'folder of the contract', 'contracts')
  .option('--out <dir>', 'folder of the generated files', 'generated')
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
