#!/usr/bin/env node
// Finds the command that is asked for. Plain JavaScript of an old kind: it runs on any Node, if only to say that it is too old.
const COMMANDS = {
  init: 'a new project in an empty folder',
  new: 'a resource in both contracts',
  dev: 'serves, and follows every change',
  serve: 'serves the contract',
  generate: 'compiles contracts/ into generated/',
  check: 'lint, conventions, parity, drift, breaking changes',
  mock: 'the real server on made-up data, without code',
  docs: 'the documentation as a folder',
  verify: 'holds a running server against a contract',
  parity: 'REST beside GraphQL, fact by fact',
  release: 'records the contract as released',
  migrate: "brings a database to the contract's shape",
  copy: 'moves all rows from one database to another',
  token: 'a token for development',
};
/** Where a command has another name than its script. */
const SCRIPTS = { serve: 'start' };
const OLDEST_NODE = 24;

const [name, ...rest] = process.argv.slice(2);
const major = Number(process.versions.node.split('.')[0]);

if (major < OLDEST_NODE) {
  console.error(`Lockstep needs Node ${OLDEST_NODE} or newer; this is ${process.version}.`);
  process.exitCode = 1;
} else if (name === '--version' || name === '-v') {
  const { readFileSync } = process.getBuiltinModule('node:fs');
  console.log(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version);
} else if (!Object.hasOwn(COMMANDS, name ?? '')) {
  const lines = Object.entries(COMMANDS).map(([command, what]) => `  ${command.padEnd(10)}${what}`);
  const usage = `Usage: lockstep COMMAND [options]\n\n${lines.join('\n')}\n\n\`lockstep COMMAND --help\` tells more.`;
  const isAsked = name === undefined || name === '--help' || name === 'help';
  (isAsked ? console.log : console.error)(isAsked ? usage : `${name} is no command.\n\n${usage}`);
  if (!isAsked) process.exitCode = 1;
} else {
  process.argv = [process.argv[0], process.argv[1], ...rest];
  import(`../lib/scripts/${SCRIPTS[name] ?? name}.js`).catch((error) => {
    const [, missing] = /Cannot find package '([^']+)'/.exec(error.message) ?? [];
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || missing === undefined) throw error;
    console.error(
      `${missing} is not installed, which \`lockstep ${name}\` needs. npm leaves it out with --omit=optional, and on a Node older ` +
        `than ${OLDEST_NODE}; run \`npm install\` again without either.`,
    );
    process.exitCode = 1;
  });
}
