export { pairedStore } from './paired-store.ts';
export { recordOf } from './store-dump.ts';
