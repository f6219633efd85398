export { serveContract } from './serve-contract.ts';
