import type { Finding } from '../../compiler/findings/index.ts';
import { deriveSdl } from '../../compiler/graphql/convention/index.ts';
import { type OperationDraft, operationsOf } from '../../compiler/model/index.ts';
import { ConfigError } from '../../descriptor/config-error.ts';
import { nodeAt } from '../../descriptor/references.ts';
import { ContractFiles } from '../sync/contract-files.ts';
import { coordinatesOf } from '../sync/coordinates.ts';
import { errorsOf, newErrors, type OpenContract, openContract } from '../sync/open-contract.ts';
import { coordinatesIn } from '../sync/removed.ts';
import { sdlWithout } from '../sync/sdl-without.ts';
import { type Cut, cutOut, documentCut, nameOf, type Part } from './document-cut.ts';
import { unlist } from './resource-list.ts';

/** What goes from a contract. */
interface Removal {
  readonly parts?: readonly Part[];
  readonly operations?: readonly OperationDraft[];
  /** Names of schemas that go, and that nothing else may refer to. */
  readonly schemas?: readonly string[];
  /** Which components and types go along, where nothing else refers to them. */
  readonly isAlong?: (name: string) => boolean;
  /** The path of one, below which no operation may stay. */
  readonly path?: string;
  /** The entry of `resources.yaml`. */
  readonly listed?: { readonly collection: string; readonly properties?: readonly string[] };
  /** What stays for the author to see to. */
  readonly left?: readonly string[];
  /** By which code may name it, beside its operations and schemas. */
  readonly words?: readonly string[];
}

/** A removal from a contract. Throws `ConfigError` for what it does not have. */
export type Removing = (contract: OpenContract) => Removal;

/** What went, in memory, or why nothing can. */
export type RemovalOutcome =
  | { readonly kind: 'refused'; readonly findings: readonly Finding[] }
  /** Sentences on what else needs it. */
  | { readonly kind: 'needed'; readonly by: readonly string[] }
  | {
      readonly kind: 'removed';
      readonly files: ContractFiles;
      /** Operations, components and coordinates of the SDL, each in one line. */
      readonly gone: readonly string[];
      readonly left: readonly string[];
      /** By which code may name it. */
      readonly words: readonly string[];
    };

/**
 * Removes something from both sides of a contract, in memory: the caller saves the files. The result is judged as that of an addition
 * is. Throws what the removal throws.
 */
export async function removeFrom(contracts: string, removing: Removing): Promise<RemovalOutcome> {
  const files = await ContractFiles.open(contracts);
  const contract = await openContract(files);
  if ('findings' in contract) return { kind: 'refused', findings: contract.findings };
  const before = errorsOf(await files.source());
  const removal = removing(contract);
  const cut = documentCut(contract, partsOf(contract, removal), removal.schemas ?? [], removal.isAlong);
  const by = [...operationsBelow(contract, removal), ...referringNodes(contract, cut)];
  if (by.length > 0) return { kind: 'needed', by };
  await cutOut(contract, cut);
  if (removal.listed) await unlist(files, removal.listed.collection, removal.listed.properties);
  const sdl = await cutSdl(contract, removal, cut);
  if ('findings' in sdl) return { kind: 'refused', findings: sdl.findings };
  if (sdl.needed.length > 0) return { kind: 'needed', by: sdl.needed };
  const findings = newErrors(errorsOf(await files.source()), before);
  if (findings.length > 0) return { kind: 'refused', findings };
  const { operations = [], words = [], left = [] } = removal;
  const names = [...cut.names].map((one) => one.slice('#/components/'.length));
  return {
    kind: 'removed',
    files,
    gone: [operations.map(routeOf), names, sdl.gone].flatMap((all) => (all.length > 0 ? [all.join(', ')] : [])),
    left: [...left, ...cut.idle.map((one) => `${one.slice(2)}, which nothing refers to now`)],
    words: [...words, ...operations.map(({ operationId }) => operationId), ...[...cut.names].map(nameOf)],
  };
}

const routeOf = ({ method, path }: OperationDraft): string => `${method.toUpperCase()} ${path}`;

/** The parts of a removal, with those of its operations: paths that have no other, and tags of no other. */
function partsOf({ side }: OpenContract, { parts = [], operations = [] }: Removal): readonly Part[] {
  const left = side.operations.filter((one) => !operations.includes(one));
  const all: unknown = nodeAt(side.document, '#/paths');
  const ofPaths = [...Map.groupBy(operations, ({ path }) => path)].flatMap(([path, going]): readonly Part[] => {
    const isWhole = !left.some((one) => one.path === path);
    return isWhole
      ? [{ holder: Object(all), key: path }]
      : going.map(({ item, method }) => ({ holder: item, key: method }));
  });
  const tags = (side.document as { readonly tags?: readonly { readonly name: string }[] }).tags ?? [];
  const tagsOf = (some: readonly OperationDraft[]): readonly unknown[] =>
    some.flatMap(({ node }) => node['tags'] ?? []);
  const used = tagsOf(left);
  const free = tagsOf(operations).filter((one) => !used.includes(one));
  const ofTags = tags.flatMap(({ name }, key) => (free.includes(name) ? [{ holder: tags, key }] : []));
  return [...parts, ...ofPaths, ...ofTags];
}

function operationsBelow({ side, source }: OpenContract, { path, operations = [] }: Removal): readonly string[] {
  if (path === undefined) return [];
  const below = side.operations.filter((one) => one.path.startsWith(`${path}/`) && !operations.includes(one));
  const holders = Map.groupBy(below, (one) =>
    side.draft.resources.find((resource) => operationsOf(resource).includes(one)),
  );
  const place = ({ node }: OperationDraft): string => {
    const { file, line } = source.locate(node);
    return `${file}:${line}`;
  };
  return [...holders].flatMap(([resource, [first, ...others]]) => {
    if (!first) return [];
    if (resource) return [`${place(first)} the resource ${resource.name}, ${resource.path}, is below its path`];
    return [first, ...others].map((one) => `${place(one)} ${routeOf(one)}, a custom operation, is below its path`);
  });
}

function referringNodes({ source }: OpenContract, { referring }: Cut): readonly string[] {
  return referring.map(({ node, key, to }) => {
    const { file, line, pointer } = source.locate(node, key);
    return `${file}:${line} ${pointer === '' ? '' : `#${pointer} `}refers to ${nameOf(to)}`;
  });
}

/** Removes from the SDL what the document implied before, and does not imply now. */
async function cutSdl(
  { files, side, source }: OpenContract,
  { operations = [], isAlong }: Removal,
  cut: Cut,
): Promise<
  { readonly gone: readonly string[]; readonly needed: readonly string[] } | { readonly findings: readonly Finding[] }
> {
  if (!source.sdl) return { gone: [], needed: [] };
  const after = await openContract(files);
  if ('findings' in after) return after;
  const left = impliedBy(after.side);
  const named = operations.flatMap(({ operationId }) => side.sdl.operationIds.get(operationId) ?? []);
  const lost = new Set([...[...impliedBy(side)].filter((one) => !left.has(one)), ...named]);
  const texts = new Map<string, string>();
  for (const path of source.sdl.files) texts.set(path, (await files.read(path)) ?? '');
  const names = new Set([...cut.names].map(nameOf));
  const without = sdlWithout(texts, lost, (type) => names.has(type) || isAlong?.(type) === true);
  const { query } = side.sdl.roots;
  if (without.gone.has(query))
    throw new ConfigError([`\`${query}\` would have no field, which GraphQL requires: add another resource first.`]);
  for (const [path, text] of without.texts) await (text === undefined ? files.remove(path) : files.write(path, text));
  const present = coordinatesOf(source.sdl.document);
  return {
    gone: [...without.gone].filter(
      (one) => present.has(one) && !holdersOf(one).some((holder) => without.gone.has(holder)),
    ),
    needed: without.referring.map(({ file, line, by, type }) => `${file}:${line} \`${by}\` refers to ${type}`),
  };
}

/** The type of a member, and the field of an argument. */
const holdersOf = (coordinate: string): readonly string[] =>
  [...coordinate.matchAll(/[.(]/g)].map(({ index }) => coordinate.slice(0, index));

/** The coordinates of the SDL that a document implies, with what its author chooses: fields of custom operations, and events. */
const impliedBy = (side: OpenContract['side']): ReadonlySet<string> =>
  new Set(
    deriveSdl({ ...side, sdl: { ...side.sdl, operationIds: new Map(), defined: new Set() } }).definitions.flatMap(
      coordinatesIn,
    ),
  );
