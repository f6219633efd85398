import { LANGUAGES, makeClients } from '../src/readers/clients/index.ts';
import { defineCommand } from '../src/tools/define-command.ts';
import { choicesOption } from '../src/tools/option-values.ts';
import { runScript } from '../src/tools/run-command.ts';

export const command = defineCommand('clients', {
  description:
    'Writes clients of a contract for Python, Go and Java, over REST and GraphQL: what the generators that each language trusts make of it, ' +
    'with types, and a thin layer for errors, pages, tokens, retries and keys. The generators are fetched by the tools of their language.',
  examples: [
    { what: 'all clients into dist/clients/', args: '' },
    { what: 'the client for Go, under the path of its module', args: '--language go --package example.com/acme/shop' },
  ],
})
  .option('--contracts <dir>', 'folder of the contract', 'contracts')
  .option('--out <dir>', 'folder to write, with a folder for each language', 'dist/clients')
  .addOption(choicesOption('--language <names>', 'languages, with commas between (default: all)', LANGUAGES))
  .option('--package <name>', 'name of the package: of pip, of the Go module, or of Java (one language)')
  .option('--package-version <version>', "version of the packages (default: the contract's, or that of x-package)")
  .option('--documents <dir>', "folder of GraphQL documents of one's own, which the clients have as well")
  .option('--strict', 'end with 1 if a client lacks an operation, which its generator cannot express')
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
