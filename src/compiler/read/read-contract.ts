import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import { isImpliedPattern } from '../../descriptor/implied-patterns.ts';
import { KEEP_NOTHING, type Keep } from '../../descriptor/keep.ts';
import { type Finding, isError, type Location } from '../findings/finding.ts';
import { isForeign } from '../model/extensions/extension-value.ts';
import { draftContract } from '../model/resources/draft-contract.ts';
import type { ContractSource } from '../model/source.ts';
import { readSdl } from '../sdl/read-sdl.ts';
import { bundle } from './bundle.ts';
import { checkStructure } from './check-structure.ts';
import { downgradeTo31 } from './downgrade.ts';
import { breakCycles, endlessSchemas } from './endless-schemas.ts';
import { forgive, reporter } from './forgive.ts';
import { asNode, isNode, type Node, nodesBelow } from './grammar.ts';
import { completeInheritance } from './inheritance.ts';
import { type Mending, mend } from './mend.ts';
import { readVersions } from './old-versions.ts';
import { repair } from './repair.ts';
import { Resolver } from './resolver.ts';
import { SourceFiles } from './source-files.ts';
import { SourceMap } from './source-map.ts';
import { upgradeTo31 } from './upgrade.ts';

export const ENTRIES = ['openapi.yaml', 'openapi.yml', 'openapi.json'];
const NONE: ReadonlyMap<string, string> = new Map();
const EMPTY: OpenApiDocument = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} };

export interface ReadOptions {
  /** The folder whose releases count, if it is not the contract's own. */
  readonly releases?: string | undefined;
  /** Texts of files that count in place of those in the folder, by their names in it. */
  readonly changed?: ReadonlyMap<string, string>;
  readonly by?: Mending;
  /** Where files are kept as they were parsed, and what is known to be valid. */
  readonly keep?: Keep | undefined;
}

/**
 * Reads a contract: a folder with `openapi.yaml` (or `.yml`, `.json`), or such a file. The result is one OpenAPI 3.1
 * document with local references only; problems with files, references and structure are findings.
 */
export async function readContract(path: string, options: ReadOptions = {}): Promise<ContractSource> {
  const { releases, changed = NONE, by = 'members', keep } = options;
  const { folder, entry } = await entryOf(path);
  const start: Location = { file: entry, line: 1, column: 1, pointer: '' };
  const map = new SourceMap(start);
  const files = new SourceFiles(folder, map, changed, keep ?? KEEP_NOTHING);
  const isThere = changed.has(entry) || existsSync(join(folder, entry));
  const root = isThere ? files.read(entry, () => start) : undefined;
  const findings = isNode(root)
    ? await bundled(files, map, entry, root, keep)
    : isThere
      ? notAnObject(files, start)
      : [noContract(folder, start)];
  files.save();
  // The SDL belongs to the contract of a folder; a file with another name is a contract by itself.
  const sdl = ENTRIES.includes(entry) ? readSdl(folder, changed, keep) : undefined;
  const locate: ContractSource['locate'] = (node, key) => map.locate(node, key);
  // An SDL alone may become the document.
  if (!isThere) return { document: structuredClone(EMPTY), findings, sdl, locate };
  // No further rules are checked on a document that cannot be read.
  if (!isNode(root) || !(await mend(root, findings, map, by)))
    return { document: structuredClone(EMPTY), findings: [...findings, ...(sdl?.findings ?? [])], locate };
  const document = root as unknown as OpenApiDocument;
  leaveOutImplied(document);
  const hasRest = by === 'members' && findings.some(isError);
  return {
    document,
    ...(hasRest && { rest: await readContract(path, { ...options, by: 'parts' }) }),
    ...judged({ document, findings, sdl, locate }),
    sdl,
    versions: readVersions(releases ?? folder, document),
    locate,
  };
}

/** Patterns that completion has declared in a published document, and would again: no rule is about them. */
function leaveOutImplied(document: OpenApiDocument): void {
  for (const { node, kind } of nodesBelow(document, 'document'))
    if (kind === 'schema' && isImpliedPattern(node)) delete node['pattern'];
}

/**
 * In a document that follows the conventions, readings that are forgiven in others are errors. In others, extensions with values of
 * other tools are taken out, in place.
 */
function judged(source: ContractSource): Pick<ContractSource, 'findings' | 'ignored'> {
  const { findings } = source;
  const draft = source.sdl ? undefined : draftContract(source);
  if (!draft || draft.conventional)
    return { findings: findings.map((one) => (one.isForgiven ? { ...one, severity: 'error' as const } : one)) };
  const ignored = draft.extensions.filter(isForeign);
  for (const { node, name } of ignored) delete asNode(node)[name];
  return { findings, ignored };
}

/** The folder of a contract and the name of its entry document. */
export async function entryOf(path: string): Promise<{ folder: string; entry: string }> {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile();
  if (isFile || /\.(ya?ml|json)$/.test(path)) return { folder: dirname(path), entry: basename(path) };
  for (const entry of ENTRIES) if (existsSync(join(path, entry))) return { folder: path, entry };
  return { folder: path, entry: ENTRIES[0]! };
}

/** Whether there is a contract at a path. */
export async function hasContract(path: string): Promise<boolean> {
  const { folder, entry } = await entryOf(path);
  return existsSync(join(folder, entry));
}

/** What to do where no contract is found. */
export const HOW_TO_NAME_A_CONTRACT =
  'Run this in the folder of a project, name the folder of the contract with --contracts, or start a project with `lockstep init`.';

function noContract(folder: string, location: Location): Finding {
  const message = `\`${join(folder, location.file)}\` does not exist.`;
  return { rule: 'file-missing', severity: 'error', message, hint: HOW_TO_NAME_A_CONTRACT, location };
}

function notAnObject(files: SourceFiles, location: Location): Finding[] {
  if (files.findings.length > 0) return files.findings;
  const message = 'This is not an OpenAPI document: the file does not contain an object.';
  return [{ rule: 'openapi-version', severity: 'error', message, hint: 'Begin with `openapi: 3.1.0`.', location }];
}

async function bundled(
  files: SourceFiles,
  map: SourceMap,
  entry: string,
  root: Node,
  keep: Keep | undefined,
): Promise<Finding[]> {
  const version = root['openapi'];
  if (typeof version !== 'string' || !/^3\.[012](\.|$)/.test(version)) return [unknownVersion(root, map)];
  const resolver = new Resolver(files, map);
  const forgiven: Finding[] = [];
  const report = reporter(files, forgiven);
  bundle(root, entry, resolver, map, report);
  if (version.startsWith('3.0')) upgradeTo31(root, map);
  const ignored = version.startsWith('3.2') ? downgradeTo31(root, map) : [];
  const unresolved = [...files.findings, ...resolver.findings, ...endlessSchemas(root, map)];
  forgive(root, map, report);
  const found = [...forgiven, ...ignored, ...repair(root, map), ...unresolved];
  // A document with such findings may be no JSON: a reference may lead around in a circle.
  const all = [...found, ...(await checkStructure(root, map, found.length > 0 ? undefined : keep))];
  if (!all.some(isError)) completeInheritance(root as unknown as OpenApiDocument, map);
  if (all.some(({ rule }) => rule === 'reference-circular')) breakCycles(root);
  return all;
}

function unknownVersion(root: Node, map: SourceMap): Finding {
  const key = root['openapi'] === undefined ? 'swagger' : 'openapi';
  const found = root[key];
  if (key === 'swagger' && found !== undefined) return swagger(root, map);
  return {
    rule: 'openapi-version',
    severity: 'error',
    message:
      found === undefined
        ? '`openapi` is missing.'
        : typeof found === 'number'
          ? `\`${key}: ${found}\` is a number, not a version.`
          : `OpenAPI ${found} is not supported.`,
    hint: 'Write `openapi: 3.1.0`; 3.0 is also supported, and 3.2 without its new features.',
    location: map.locate(root, key),
  };
}

function swagger(root: Node, map: SourceMap): Finding {
  const location = map.locate(root, 'swagger');
  return {
    rule: 'openapi-version',
    severity: 'error',
    message: 'This is a Swagger 2.0 document; Lockstep reads OpenAPI 3.0, 3.1 and 3.2.',
    hint: `Convert it once: \`npx swagger2openapi --yaml --outfile openapi.yaml ${location.file}\`.`,
    location,
  };
}
