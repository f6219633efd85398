import { enableCompileCache } from 'node:module';

// The entry point for production. With the compile cache, later starts need not strip types and compile again, which is a
// third of their time. It only works for modules that are imported after it has been enabled.
enableCompileCache();
const [{ handlers }, { start }, { explainBootFault }] = await Promise.all([
  import('./handlers/index.ts'),
  import('./index.ts'),
  import('./runtime/boot-fault.ts'),
]);

try {
  await start({ generated: new URL('../generated/', import.meta.url), handlers });
} catch (error) {
  console.error(explainBootFault(error) ?? error);
  process.exit(1);
}
