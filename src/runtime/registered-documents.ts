import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../descriptor/config-error.ts';
import { isPlainObject } from '../descriptor/plain-object.ts';

/** GraphQL documents by the SHA-256 of their text, in lower-case hexadecimal. */
export type RegisteredDocuments = ReadonlyMap<string, string>;

/**
 * Reads the documents of a folder and its subfolders. A `*.graphql` file is one document; a `*.json` file is an object
 * whose values are documents. Throws `ConfigError` if a file cannot be read, and if the folder has no documents.
 */
export async function readRegisteredDocuments(folder: string): Promise<RegisteredDocuments> {
  const documents = (await Promise.all((await filesIn(folder)).map(documentsIn))).flat();
  if (documents.length === 0) throw fault(`${folder} does not contain any documents.`);
  return new Map(documents.map((text) => [createHash('sha256').update(text).digest('hex'), text]));
}

async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch((error: Error) => unreadable(folder, error));
  return names.filter((name) => /\.(graphql|json)$/.test(name)).map((name) => join(folder, name));
}

async function documentsIn(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((error: Error) => unreadable(file, error));
  if (file.endsWith('.graphql')) return [text];
  const documents = parsed(file, text);
  const texts = isPlainObject(documents) ? Object.values(documents) : [undefined];
  if (!texts.every((one) => typeof one === 'string'))
    throw fault(`${file} is not an object whose values are documents.`);
  return texts;
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw fault(`${file} is not valid JSON.`);
  }
}

function unreadable(path: string, { message }: Error): never {
  throw fault(`${path} cannot be read (${message}).`);
}

const fault = (problem: string): ConfigError => new ConfigError([`GRAPHQL_DOCUMENTS: ${problem}`]);
