import { LANGUAGES, makeClients } from '../src/readers/clients/index.ts';
import { defineCommand } from '../src/tools/define-command.ts';
import { choicesOption } from '../src/tools/option-values.ts';
import { runScript } from '../src/tools/run-command.ts';

export const command = defineCommand('clients', {
  description:
    'Writes clients of a contract for Python, Go and Java, over REST and GraphQL. An established generator of each language writes the types, ' +
    'and a thin layer adds errors, pages, tokens, retries and keys. The package manager of the language downloads the generator.',
  examples: [
    { what: 'all clients into dist/clients/', args: '' },
    { what: 'the client for Go, under the path of its module', args: '--language go --package example.com/acme/shop' },
  ],
})
  .option('--contracts <dir>', 'folder of the contract', 'contracts')
  .option('--out <dir>', 'folder to write; each language has a folder in it', 'dist/clients')
  .addOption(choicesOption('--language <names>', 'languages, separated by commas (default: all)', LANGUAGES))
  .option('--package <name>', 'name of the package: of pip, of the Go module, or of Java (one language)')
  .option('--package-version <version>', "version of the packages (default: the contract's, or that of x-package)")
  .option('--documents <dir>', 'folder of your own GraphQL documents, which become methods of the clients')
  .option('--strict', 'exit with 1 if a generator cannot express an operation')
  .action(async ({ strict, contracts, out, language, package: packageName, packageVersion, documents }) => {
    await makeClients({
      isStrict: strict === true,
      contracts,
      out,
      languages: language ?? LANGUAGES,
      packageName,
      packageVersion,
      documents,
    });
  });

if (import.meta.main) void runScript(command);
