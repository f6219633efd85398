import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../src/runtime/settings/config.ts';
import { explainFailure } from '../src/tools/command/explain-failure.ts';
import { readOptions } from '../src/tools/command/start-options.ts';
import { helpIfAsked } from '../src/tools/command/usage.ts';
import { DevSession } from '../src/tools/dev/dev-session.ts';
import { watchFolders } from '../src/tools/dev/watch.ts';

const USAGE = `Usage: npm run dev -- [--contracts DIR] [--out DIR] [--handlers DIR] [--sample FILE]

\`npm start\` that follows: a change of the contract is generated and served, a change of code is served, in a moment.
While the contract has errors, they are in the terminal and on every page.

  --contracts, --handlers, --sample   as for \`npm start\`
  --out DIR                           where the output of another contract goes; nowhere, if left out`;

helpIfAsked(USAGE);

const OWN_CONTRACTS = 'contracts';
const OWN_OUT = 'generated';

function devSession(): { readonly session: DevSession; readonly contracts: string; readonly code: readonly string[] } {
  const text = { type: 'string' } as const;
  const { out, ...rest } = parseArgs({
    options: { contracts: text, out: text, handlers: text, sample: text },
  }).values;
  const args = Object.entries(rest).flatMap(([name, value]) => [`--${name}`, value]);
  const { contracts = OWN_CONTRACTS, handlers, sample } = readOptions(args);
  const { host, port } = readConfig(process.env);
  const own = contracts === OWN_CONTRACTS ? OWN_OUT : undefined;
  const session = new DevSession({ contracts, out: out ?? own, args, host, port });
  const code = [
    'src',
    ...(handlers === undefined ? [] : [handlers]),
    ...(sample === undefined ? [] : [dirname(sample)]),
  ];
  return { session, contracts, code: [...new Set(code)] };
}

try {
  const { session, contracts, code } = devSession();
  watchFolders([contracts, ...code], (folders) => void session.update({ contract: folders.has(contracts) }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void session.close().then(() => process.exit(0)));
  await session.update({ contract: true });
} catch (error) {
  console.error(explainFailure(error, USAGE));
  process.exit(1);
}
