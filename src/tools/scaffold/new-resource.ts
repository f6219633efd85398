import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buildModel } from '../../compiler/build-model.ts';
import { modelContract } from '../../compiler/compile-contract.ts';
import { replaceFile } from '../../compiler/emit/output-folder.ts';
import type { Finding } from '../../compiler/findings/finding.ts';
import { upperFirst } from '../../compiler/model/naming.ts';
import { entryOf, readContract } from '../../compiler/read/read-contract.ts';
import { ConfigError } from '../../descriptor/config-error.ts';
import { outputNamedIn, withEditorLine } from './editor-line.ts';
import type { Field } from './field.ts';
import { graphqlFile } from './graphql-file.ts';
import { insertInto } from './insert.ts';
import type { Noun } from './noun.ts';
import { itemFileOf, openapiFiles, wordsOf } from './openapi-files.ts';
import { Project } from './project.ts';

/** The files that were written, or the errors that prevented it. */
export type Outcome =
  | { readonly kind: 'written'; readonly files: readonly string[]; readonly hasGraphql: boolean }
  | { readonly kind: 'refused'; readonly findings: readonly Finding[] };

/**
 * Adds a resource to both sides of a contract. The result is checked in a copy first, so that either all files are
 * written or none. Throws `ConfigError` for names that are taken, and for references to unknown collections.
 */
export async function addResource(contracts: string, noun: Noun, fields: readonly Field[]): Promise<Outcome> {
  const { folder, entry } = await entryOf(contracts);
  if (!/\.ya?ml$/.test(entry))
    throw new ConfigError([`${join(folder, entry)} is not a YAML file; resources can only be added to YAML.`]);
  const project = await projectOf(folder);
  if (project.kind === 'refused') return project;
  project.project.refuseTaken(noun);
  const files = await filesFor(folder, entry, noun, fields, project.project);
  const taken = [...files.keys()].find((path) => path !== entry && project.project.has(path));
  if (taken !== undefined) throw new ConfigError([`${join(folder, taken)} already exists.`]);
  const findings = await errorsWith(folder, files);
  if (findings.length > 0) return { kind: 'refused', findings };
  await writeAll(folder, files);
  return {
    kind: 'written',
    files: [...files.keys()].map((path) => join(folder, path)),
    hasGraphql: project.project.hasGraphql,
  };
}

type Reading =
  | { readonly kind: 'read'; readonly project: Project }
  | { readonly kind: 'refused'; readonly findings: readonly Finding[] };

/**
 * The contract before the change. Its GraphQL side may still be empty, so it is checked together with the new
 * resource.
 */
async function projectOf(folder: string): Promise<Reading> {
  const source = await readContract(folder);
  const { model, findings } = buildModel({ ...source, sdl: undefined });
  if (!model) return { kind: 'refused', findings: findings.filter(({ severity }) => severity === 'error') };
  return { kind: 'read', project: new Project(folder, model, source.sdl) };
}

async function filesFor(
  folder: string,
  entry: string,
  noun: Noun,
  fields: readonly Field[],
  project: Project,
): Promise<ReadonlyMap<string, string>> {
  const { collection, singular, plural } = noun;
  const text = await readFile(join(folder, entry), 'utf8');
  const paths = [
    `/${collection}:`,
    `  $ref: paths/${collection}.yaml`,
    `/${collection}/{${singular}Id}:`,
    `  $ref: paths/${itemFileOf(noun)}`,
  ];
  const tag = upperFirst(plural);
  const withPaths = insertInto(text, 'paths', paths);
  const sdl = project.has('graphql') ? `graphql/${collection}.graphql` : `${collection}.graphql`;
  const output = outputNamedIn(text);
  const described = [...openapiFiles(noun, fields, project)].map(
    ([path, yaml]) => [path, output === undefined ? yaml : withEditorLine(path, yaml, output)] as const,
  );
  return new Map([
    ...described,
    ...(project.hasGraphql ? [[sdl, graphqlFile(noun, fields, project)] as const] : []),
    [
      entry,
      /^tags:/m.test(text)
        ? insertInto(withPaths, 'tags', [`- name: ${tag}`, `  description: Operations on ${wordsOf(plural)}.`])
        : withPaths,
    ],
  ]);
}

/** The errors that the contract would have with these files. */
async function errorsWith(folder: string, files: ReadonlyMap<string, string>): Promise<readonly Finding[]> {
  const scratch = await mkdtemp(join(tmpdir(), 'lockstep-new-'));
  try {
    await cp(folder, scratch, { recursive: true, filter: (path) => basename(path) !== 'node_modules' });
    for (const [path, text] of files) await replaceFile(join(scratch, path), text);
    const { findings } = await modelContract(scratch);
    return findings.filter(({ severity }) => severity === 'error');
  } finally {
    await rm(scratch, { recursive: true });
  }
}

/**
 * The entry document, which refers to the other files, is written last. When writing fails, the earlier files are
 * removed.
 */
async function writeAll(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  const written: string[] = [];
  try {
    for (const [path, text] of files) {
      await replaceFile(join(folder, path), text);
      written.push(path);
    }
  } catch (error) {
    for (const path of written) await rm(join(folder, path));
    throw error;
  }
}
