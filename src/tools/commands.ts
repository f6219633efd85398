/** Where a command exists: in this repository (`npm run NAME`), in the package (`lockstep NAME`), or in both. */
type Place = 'repository' | 'package' | 'both';

export interface CommandEntry {
  /** Its module is `scripts/NAME.ts`. */
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  readonly place: Place;
}

/** Every command, in the order of its lists: the help, the shell completion and the README's table. */
export const COMMANDS = [
  { name: 'init', summary: 'start a project in a folder', place: 'package' },
  { name: 'new', summary: 'add a resource, a field and more to both halves of the contract', place: 'both' },
  { name: 'sync', summary: 'derive the missing parts of one half of the contract from the other', place: 'both' },
  { name: 'import', summary: 'write a contract for the tables of a database that exists', place: 'both' },
  { name: 'dev', summary: 'serve the contract and follow every change of contract and code', place: 'both' },
  { name: 'start', summary: 'serve the contract', place: 'both' },
  { name: 'generate', summary: 'compile contracts/ into generated/', place: 'both' },
  { name: 'contract', summary: 'check lint, conventions, parity, outdated files and breaking changes', place: 'both' },
  { name: 'parity', summary: 'compare REST with GraphQL, fact by fact', place: 'both' },
  { name: 'explain', summary: 'explain access to an action, in words and in SQL', place: 'both' },
  { name: 'proof', summary: 'run every action through both protocols and compare the results', place: 'both' },
  { name: 'verify', summary: 'test a running server against a contract with random requests', place: 'both' },
  { name: 'mock', summary: 'serve generated data for a contract, without code', place: 'both' },
  { name: 'docs', summary: 'write the documentation as static pages', place: 'both' },
  { name: 'clients', summary: 'write clients for Python, Go and Java', place: 'both' },
  {
    name: 'release',
    summary: 'record the contract as released, with the version that its changes require',
    place: 'both',
  },
  { name: 'migrate', summary: 'change the tables of the database to match the contract', place: 'both' },
  { name: 'copy', summary: 'copy all rows from one database to another and compare them', place: 'both' },
  { name: 'backup', summary: 'copy a SQLite database that is in use into a file', place: 'both' },
  { name: 'jobs', summary: 'list, show, repeat, remove and hold jobs', place: 'both' },
  { name: 'token', summary: 'print a token for development', place: 'both' },
  { name: 'image', summary: 'bundle the server for an image', place: 'both' },
  { name: 'build', summary: 'build the npm package', place: 'repository' },
  { name: 'settings', summary: 'write the table of settings into docs/settings.md', place: 'repository' },
  { name: 'rules', summary: 'write the rules of the gate into docs/rules.md', place: 'repository' },
  {
    name: 'bench',
    summary: 'compare this server with a hand-written one and with bare node:http',
    place: 'repository',
  },
  { name: 'completion', summary: 'print the completion script of a shell', place: 'package' },
] as const satisfies readonly CommandEntry[];

const PACKAGE_ONLY: readonly string[] = COMMANDS.filter(({ place }) => place === 'package').map(({ name }) => name);

export type CommandName = (typeof COMMANDS)[number]['name'];

/** The commands of the package. */
export const PACKAGE_COMMANDS: readonly (CommandEntry & { readonly name: CommandName })[] = COMMANDS.filter(
  ({ place }) => place !== 'repository',
);

export const summaryOf = (name: CommandName): string => COMMANDS.find((entry) => entry.name === name)!.summary;

/** How the module of a command is called in this repository; its options follow. */
export function scriptCall(name: string): string {
  if (PACKAGE_ONLY.includes(name)) return `node scripts/${name}.ts`;
  return name === 'start' ? 'npm start --' : `npm run ${name} --`;
}
