import { handlers } from '../../src/handlers/index.ts';
import { start } from '../../src/index.ts';

/** The shop with code that hears of changes of products. It runs elsewhere: only what writing the events costs is measured. */
const on = { products: { created: () => undefined, updated: () => undefined } };

await start({ generated: new URL('../../generated/', import.meta.url), handlers: { ...handlers, on } });
