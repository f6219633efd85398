import { pino } from 'pino';
import { explainBootFault } from './runtime/boot-fault.ts';
import { generatedContract } from './runtime/generated-contract.ts';
import { openDatabase } from './runtime/open-database.ts';
import { readConfig } from './runtime/settings/index.ts';

// What a deployment runs before it replaces instances: the image has none of the commands of development. It waits for the
// database, migrates it under a lock, and ends.
try {
  const config = { ...readConfig(process.env), migrateAtBoot: true, migratesUnasked: false, serveReadsOnly: false };
  const contract = await generatedContract(new URL('../generated/', import.meta.url));
  const log = pino({ level: config.logLevel });
  const store = await openDatabase(config, contract, log, {
    mayDrop: true,
    sparesInstances: true,
    resetClock: process.argv.includes('--reset-clock'),
  });
  await store.close();
  log.info('the database has the tables of the contract');
} catch (error) {
  console.error(explainBootFault(error) ?? error);
  process.exit(1);
}
