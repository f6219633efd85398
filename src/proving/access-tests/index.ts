export { readSuite } from './read-suite.ts';
export { runSuite } from './run-suite.ts';
