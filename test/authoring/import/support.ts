import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { administer } from '../../../src/tools/postgres-database.ts';
import { type Finished, runHere } from '../../support/command.ts';
import { makeDatabase } from '../../support/postgres.ts';

type Json = Readonly<Record<string, unknown>>;

/** A document, as far as the tests look at it. */
export interface Document {
  readonly paths: Readonly<Record<string, { readonly get: Json & { readonly parameters: readonly Json[] } }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Schema extends Json {
  readonly properties: Readonly<Record<string, Json>>;
}

/** A database with what an SQL file makes, or a text. */
export async function databaseOf(sql: string): Promise<string> {
  const url = await makeDatabase();
  const text = sql.endsWith('.sql')
    ? await readFile(join(import.meta.dirname, '../../fixtures/databases', sql), 'utf8')
    : sql;
  await administer(url, text);
  return url;
}

export const importInto = (folder: string, url: string, ...more: readonly string[]): Promise<Finished> =>
  runHere('scripts/import.ts', ['--database', url, '--out', folder, ...more]);

export const documentIn = async (folder: string): Promise<Document> =>
  parse(await readFile(join(folder, 'openapi.yaml'), 'utf8')) as Document;

/** What the compiler finds in a contract, warnings included. */
export async function findingsIn(folder: string): Promise<readonly string[]> {
  const { findings } = await modelContract(folder);
  return findings.map(({ rule, message }) => `${rule}: ${message}`);
}
