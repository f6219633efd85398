import { readFile } from 'node:fs/promises';
import { errorCatalogue } from '../generated/errors.ts';
import { resources } from '../generated/resources.ts';
import { boot } from './boot.ts';
import { readConfig } from './config.ts';
import type { OpenApiDocument } from './descriptor/document.ts';
import { ConfigError } from './errors/config-error.ts';
import { HandlerError } from './errors/handler-error.ts';
import { handlers } from './handlers/index.ts';
import type { AnyHandlers } from './server.ts';
import { MigrationError } from './storage/migration-error.ts';

/** Serves the generated contract with its handlers: the entry for production. */
try {
  const text = await readFile(new URL('../generated/openapi.json', import.meta.url), 'utf8');
  const document = JSON.parse(text) as OpenApiDocument;
  const contract = { document, resources, errors: errorCatalogue };
  await boot({ config: readConfig(process.env), contract, handlers: handlers as unknown as AnyHandlers });
} catch (error) {
  const isExplained = [ConfigError, HandlerError, MigrationError].some((kind) => error instanceof kind);
  if (!isExplained) throw error;
  console.error((error as Error).message);
  process.exitCode = 1;
}
