export { recordOf } from './store-dump.ts';
