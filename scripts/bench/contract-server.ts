import { serveContract } from '../../src/authoring/serve/index.ts';

/** Serves the contract in the folder `CONTRACTS`, for servers under load. */
await serveContract({ contracts: process.env['CONTRACTS'], handlers: undefined, sample: undefined });
