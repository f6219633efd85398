export { compileResources } from './compile-resources.ts';
