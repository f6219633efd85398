import { readFile } from 'node:fs/promises';
import { errorCatalogue } from '../generated/errors.ts';
import { resources } from '../generated/resources.ts';
import type { OpenApiDocument } from './descriptor/document.ts';
import { handlers } from './handlers/index.ts';
import { boot } from './runtime/boot.ts';
import { explainBootFault } from './runtime/boot-fault.ts';
import { generatedGraphql } from './runtime/generated-graphql.ts';
import { generatedVersions } from './runtime/generated-versions.ts';
import { readConfig } from './runtime/settings/config.ts';
import type { AnyHandlers } from './runtime/wiring.ts';

/** Serves the generated contract with its handlers, as production does. */
try {
  const folder = new URL('../generated/', import.meta.url);
  const text = await readFile(new URL('openapi.json', folder), 'utf8');
  const document = JSON.parse(text) as OpenApiDocument;
  const graphql = await generatedGraphql(folder);
  const versions = await generatedVersions(folder);
  const contract = { document, resources, errors: errorCatalogue, graphql, versions };
  await boot({ config: readConfig(process.env), contract, handlers: handlers as unknown as AnyHandlers });
} catch (error) {
  console.error(explainBootFault(error) ?? error);
  process.exit(1);
}
