import { readFile } from 'node:fs/promises';
import { errorCatalogue } from '../generated/errors.ts';
import { resources } from '../generated/resources.ts';
import { boot } from './boot.ts';
import { explainBootFault } from './boot-fault.ts';
import { readConfig } from './config.ts';
import type { OpenApiDocument } from './descriptor/document.ts';
import { generatedGraphql } from './generated-graphql.ts';
import { generatedVersions } from './generated-versions.ts';
import { handlers } from './handlers/index.ts';
import type { AnyHandlers } from './server.ts';

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
