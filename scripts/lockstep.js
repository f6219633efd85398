#!/usr/bin/env node
// Plain JavaScript of an old kind, which imports nothing before it knows its Node: on an old one, it says so.
const OLDEST_NODE = 24;

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  console.error(`Lockstep needs Node ${OLDEST_NODE} or newer; this is ${process.version}.
Install the packages again with a newer one, too: on this one, some are left out without a word.`);
  process.exitCode = 1;
} else {
  start().catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });
}

async function start() {
  const [{ readFileSync }, { enableCompileCache }] = await Promise.all([import('node:fs'), import('node:module')]);
  enableCompileCache();
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const { lockstep } = await import('../lib/src/tools/lockstep.js');
  await lockstep(process.argv, version, (name) => import(`../lib/scripts/${name}.js`));
}
