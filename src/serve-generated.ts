import { handlers } from './handlers/index.ts';
import { start } from './index.ts';
import { explainBootFault } from './runtime/boot-fault.ts';

/** Serves the generated contract with its handlers, as production does. */
try {
  await start({ generated: new URL('../generated/', import.meta.url), handlers });
} catch (error) {
  console.error(explainBootFault(error) ?? error);
  process.exit(1);
}
