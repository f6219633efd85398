import { createRequire, Module } from 'node:module';

// Mercurius requires its own routes, which are never mounted here, and load packages for static files. Imported before it.
const require = createRequire(import.meta.url);
const path = require.resolve('mercurius/lib/routes');
const unused = new Module(path);
unused.exports = (): never => {
  throw new Error('The routes of Mercurius are not loaded.');
};
unused.loaded = true;
require.cache[path] ??= unused;
