export { DEFAULT_SEED } from './default-seed.ts';
