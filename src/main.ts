import { enableCompileCache } from 'node:module';

// The entry for production. From the second start on, nothing has to be stripped of its types or compiled again, which is
// a third of the time; hence everything is imported behind this line.
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
