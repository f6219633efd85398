/** The same as a module of TypeScript, whose types Node must strip. */
const entry: string = './bare-fastify.mjs';
await import(entry);
