export { starterSuite } from './starter-suite.ts';
