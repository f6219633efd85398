import { join } from 'node:path';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { wantedBy } from '../../../src/runtime/judged-contract.ts';
import { migrateDatabase } from '../../../src/runtime/storage/database/database.ts';
import type { BareDatabase, DatabaseKind } from '../../scale/support/bare-database.ts';
import { sqlWords } from '../../scale/support/sql-words.ts';
import { withoutIndexes } from '../../scale/support/without-indexes.ts';
import { type ContractName, contracts } from './contracts.ts';

const ROOT = join(import.meta.dirname, '../../..');
const NO_FILES = join(import.meta.dirname, 'no-migrations');

export interface Dataset extends Pick<BareDatabase, 'url' | 'query' | 'close'> {
  /** How many rows the largest parent has. */
  readonly rows: number;
}

/** A database with the tables of a contract, one of whose parents has so many rows below it. */
export async function filled(kind: DatabaseKind, name: ContractName, rows: number): Promise<Dataset> {
  const { folder, fill } = contracts[name];
  const { model } = await modelContract(join(ROOT, folder));
  const database = await kind.open();
  // Recorded while the tables are empty: no server has to read the rows first.
  await migrateDatabase(database.location, wantedBy(model!), NO_FILES);
  await withoutIndexes(kind.name, database.query, async () => {
    for (const statement of fill(sqlWords[kind.name], rows)) await database.query(statement);
  });
  await database.query(kind.name === 'SQLite' ? 'analyze' : 'vacuum analyze');
  return { ...database, rows };
}
