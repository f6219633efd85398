import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { soundContract } from '../../compiler/compile-contract.ts';
import { projectLicense } from '../../compiler/emit/clients/index.ts';
import type { ContractModel } from '../../compiler/model/index.ts';
import { ConfigError } from '../../descriptor/config-error.ts';
import { PACKAGE_VERSION } from '../../descriptor/package.ts';
import { clientDocument, clientInput } from './client-input.ts';
import type { ClientLanguage, LeftOut } from './common/client-language.ts';
import { writeText } from './common/layer.ts';
import { commentLine } from './common/names.ts';
import { goClient } from './go/go-client.ts';
import { javaClient } from './java/java-client.ts';
import type { Language } from './languages.ts';
import { pythonClient } from './python/python-client.ts';

export interface ClientsOptions {
  /** Folder of the contract. */
  readonly contracts: string;
  /** Folder that gets one folder for each language. */
  readonly out: string;
  readonly languages: readonly Language[];
  /** What the language calls its package; for one language alone. */
  readonly packageName?: string | undefined;
  /** Of the packages, in place of the contract's. */
  readonly packageVersion?: string | undefined;
  /** Folder of GraphQL documents of the caller's own, `*.graphql`. */
  readonly documents?: string | undefined;
  /** Whether a client that lacks an operation is an error; it is written all the same. */
  readonly isStrict: boolean;
}

const CLIENTS: Readonly<Record<Language, ClientLanguage>> = { python: pythonClient, go: goClient, java: javaClient };

/** In each folder that the command has written, and may write again. */
const MARK = '.lockstep-client';

/** Writes the clients of a contract. Throws `ConfigError`, also when the contract has errors. */
export async function makeClients({
  contracts,
  out,
  languages,
  packageName,
  packageVersion,
  documents,
  isStrict,
}: ClientsOptions): Promise<void> {
  if (packageName !== undefined && languages.length !== 1)
    throw new ConfigError(['--package names the package of one client: choose its --language as well.']);
  if (packageVersion !== undefined && !PACKAGE_VERSION.test(packageVersion))
    throw new ConfigError([`--package-version ${packageVersion} is no version such as 1.4.0 or 2.0.0-rc.1.`]);
  const { model } = await soundContract(contracts, process.stderr.isTTY);
  const shared = clientInput(model, await textOf(documents), await projectLicense(contracts));
  let isComplete = true;
  for (const language of languages) {
    const path = join(out, language);
    const folder = await emptyFolder(path);
    const version = packageVersion ?? shared.version;
    const made = { ...shared, version, document: clientDocument(model), packageName, folder, leftOut: [] };
    const leftOut = (await CLIENTS[language].make(made)).map((one) => ({ ...one, operationId: ownId(model, one) }));
    await report(path, language, leftOut);
    if (leftOut.length > 0) isComplete = false;
    const { licenseText } = shared.publication;
    if (licenseText !== undefined) await writeText(join(folder, 'LICENSE'), licenseText);
    console.log(`Wrote ${path}/: read ${join(path, 'README.md')}.`);
  }
  if (isStrict && !isComplete)
    throw new ConfigError(['Operations are left out of the clients, and --strict is given.']);
}

/** As the document has it: clients may have another. */
const ownId = ({ operations }: ContractModel, { method, path, operationId }: LeftOut): string =>
  operations.find((one) => one.method === method && one.path === path)?.operationId ?? operationId;

/** Names what a client lacks, in the output and in its README. */
async function report(path: string, language: Language, leftOut: readonly LeftOut[]): Promise<void> {
  if (leftOut.length === 0) return;
  const nameOf = ({ operationId, method, path }: LeftOut) => `${operationId} (${method.toUpperCase()} ${path})`;
  for (const one of leftOut) console.error(`${language}: ${nameOf(one)} is left out: ${one.reason}`);
  const lines = leftOut.map((one) => `- \`${nameOf(one)}\`: ${commentLine(one.reason)}\n`);
  await appendFile(
    join(path, 'README.md'),
    `\n## Left out\n\nThe generator cannot express these operations:\n\n${lines.join('')}`,
  );
}

/** The text of a folder's documents. Throws `ConfigError` if the folder has none. */
async function textOf(folder: string | undefined): Promise<string> {
  if (folder === undefined) return '';
  const names = (await readdir(folder).catch((): string[] => [])).filter((name) => name.endsWith('.graphql')).sort();
  if (names.length === 0) throw new ConfigError([`${folder} has no documents: no file ends in .graphql.`]);
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('\n');
}

/** Empties a folder that an earlier run has written. Throws `ConfigError` for a folder of somebody else's. */
async function emptyFolder(path: string): Promise<string> {
  const entries = await readdir(path).catch((): string[] => []);
  if (entries.length > 0 && !entries.includes(MARK))
    throw new ConfigError([`${path} holds files that are not a client's; choose another --out.`]);
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { recursive: true });
  await writeFile(join(path, MARK), '');
  return resolve(path);
}
