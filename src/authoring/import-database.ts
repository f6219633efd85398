import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { parse } from 'yaml';
import { formatFindings, some } from '../compiler/findings/index.ts';
import { ENTRIES, hasContract } from '../compiler/read/index.ts';
import { systemFault } from '../descriptor/config-error.ts';
import { openSession, queryOf } from '../runtime/storage/postgres/index.ts';
import { CommandFailure } from '../tools/command-failure.ts';
import { type Catalogue, readCatalogue } from './import/catalogue.ts';
import { type Imported, importCatalogue } from './import/import-catalogue.ts';
import type { SelectOptions } from './import/selection.ts';
import { openapi, PAGE_INFO } from './scaffold/starter.ts';
import { ContractFiles } from './sync/contract-files.ts';
import { errorsOf, newErrors, openContract } from './sync/open-contract.ts';
import { syncSdl } from './sync/sync-sdl.ts';
import { addEntries } from './sync/yaml-text.ts';

export interface ImportOptions extends SelectOptions {
  /** URL of a Postgres. */
  readonly database: string;
  /** Folder of a contract, or of one to be. */
  readonly out: string;
  /** Prints JSON. */
  readonly json?: boolean | undefined;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** One snapshot, in which all names are printed with their schema. */
const BEGIN = 'begin isolation level repeatable read read only; set local search_path = pg_catalog';

/**
 * Adds the tables of a database to a contract that may be empty, and writes it. Resolves with the exit code: 1 when the contract has errors,
 * or would have them. Throws `CommandFailure` and `ConfigError` for a folder with other files, a database that cannot be read, and one
 * without tables to import.
 */
export async function importDatabase({ database, out, json = false, ...options }: ImportOptions): Promise<number> {
  const isNew = !(await hasContract(out));
  const others = existsSync(out) && isNew ? (await readdir(out)).filter((name) => !name.startsWith('.')) : [];
  if (others.length > 0)
    throw new CommandFailure(
      `${out} has other files (${some(others)}) and no contract; name an empty folder by --out.`,
    );
  const files = await ContractFiles.open(out);
  if (!ENTRIES.includes(files.entry))
    throw new CommandFailure(`--out ${out}: name the folder of a contract, and not a file.`);
  const catalogue = await catalogueOf(database);
  if (isNew) await files.write(files.entry, starter(catalogue.database));
  const contract = await openContract(files);
  if ('findings' in contract) return refused(contract.findings);
  const before = isNew ? [] : errorsOf(await files.source());
  if (before.length > 0) return refused(before);
  const imported = await importCatalogue(contract, catalogue, options);
  if (isNew && imported.resources.length === 0)
    throw new CommandFailure(`The database has nothing to import.${lines('Left out', leftOutLines(imported))}`);
  if (isNew || contract.source.sdl) {
    const derived = await syncSdl(files);
    if ('findings' in derived) return refused(derived.findings);
  }
  const findings = newErrors(errorsOf(await files.source()), before);
  if (findings.length > 0) return refused(findings);
  await mkdir(out, { recursive: true });
  await files.save();
  console.log(json ? JSON.stringify(imported, undefined, 2) : summary(imported, out));
  return 0;
}

async function catalogueOf(url: string): Promise<Catalogue> {
  const { hostname = '', pathname = '' } = URL.canParse(url) ? new URL(url) : {};
  try {
    const { client } = await openSession({ url, connectTimeoutMs: CONNECT_TIMEOUT_MS, settings: 'select' });
    try {
      await client.query(BEGIN);
      return await readCatalogue(queryOf(client));
    } finally {
      await client.end();
    }
  } catch (error) {
    throw systemFault('--database', `${hostname}${pathname}`, error);
  }
}

function refused(findings: Parameters<typeof formatFindings>[0]): number {
  console.error(`${formatFindings(findings, { colour: process.stderr.isTTY })}\n\nNothing was written.`);
  return 1;
}

function summary(imported: Imported, out: string): string {
  const { resources, questions } = imported;
  if (resources.length === 0)
    return `${out} has every table that can be imported.${lines('Left out', leftOutLines(imported))}`;
  const width = Math.max(...resources.map(({ path }) => path.length));
  const own = resources.map(({ path, table }) => `${path.padEnd(width)}  ${table}`);
  return `Wrote ${out}.${lines('Resources', own)}${lines('Left out', leftOutLines(imported))}${lines('To be decided by you', questions)}`;
}

/** One line for each reason. */
const leftOutLines = ({ leftOut }: Imported): readonly string[] =>
  [...Map.groupBy(leftOut, ({ why }) => why)].map(([why, all]) => `${all.map(({ what }) => what).join(', ')}: ${why}`);

const lines = (title: string, all: readonly string[]): string =>
  all.length === 0 ? '' : `\n\n${title}:\n${all.map((line) => `  ${line}`).join('\n')}`;

/** A contract without paths, in one file: it has a schema. */
const starter = (database: string): string =>
  addEntries(openapi(database, `The tables of the database ${database}.`), ['components', 'schemas'], {
    PageInfo: parse(PAGE_INFO),
  });
