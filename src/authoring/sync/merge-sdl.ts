import type { Definition, Member } from '../../compiler/graphql/convention/index.ts';
import type { ContractFiles } from './contract-files.ts';
import { membersOf, nameOf, SdlFile } from './sdl-file.ts';

/** Writes into the SDL of a contract the definitions and members that it lacks. `paths`: of the files that there are. */
export async function mergeSdl(
  contract: ContractFiles,
  paths: readonly string[],
  definitions: readonly Definition[],
): Promise<void> {
  const files = new Map<string, SdlFile>();
  for (const path of paths) files.set(path, new SdlFile(path, (await contract.read(path))!));
  const isSplit = contract.has('paths') || contract.has('schemas') || contract.has('graphql');
  const homeOf = homes(files, definitions, isSplit);
  const merge = new Merge(files, homeOf);
  for (const definition of coalesced(definitions, homeOf)) merge.add(definition);
  for (const file of files.values()) if (file.isChanged) await contract.write(file.path, file.text);
}

/**
 * The definitions with those of one name and one file as one. A type whose members go into several files is defined in that of
 * what is shared, and extended in the others.
 */
function coalesced(
  definitions: readonly Definition[],
  homeOf: (home: string | undefined) => string,
): readonly Definition[] {
  return [...Map.groupBy(definitions, ({ name }) => name).values()].flatMap((same) => {
    const parts = [...Map.groupBy(same, ({ home }) => homeOf(home)).values()].map((part) => ({
      ...part[0]!,
      members: part.flatMap(({ members }) => members),
    }));
    return parts.length === 1 ? parts : [{ ...parts[0]!, home: undefined, members: [] }, ...parts];
  });
}

class Merge {
  readonly #files: Map<string, SdlFile>;
  readonly #homeOf: (home: string | undefined) => string;
  /** Types that this merge has added, each with its names. */
  readonly #added = new Set<string>();
  readonly #hadSchema: boolean;

  constructor(files: Map<string, SdlFile>, homeOf: (home: string | undefined) => string) {
    this.#files = files;
    this.#homeOf = homeOf;
    this.#hadSchema = files.size > 0;
  }

  add(definition: Definition): void {
    const { name, kind, members } = definition;
    const holders = [...this.#files.values()].flatMap((file) => file.holders(name).map((holder) => ({ file, holder })));
    // Without a schema definition the default names of the root types count.
    if (kind === 'schema' && holders.length === 0 && this.#hadSchema) return;
    if (holders.length === 0) {
      this.#append(definition);
      return;
    }
    const present = new Map(
      holders.flatMap(({ file, holder }) => membersOf(holder).map((node) => [nameOf(node), { file, node }] as const)),
    );
    for (const member of members) {
      const found = present.get(member.name);
      if (found) found.file.complete(found.node, member);
    }
    const missing = members.filter((member) => !present.has(member.name));
    if (missing.length > 0) this.#extend(definition, missing, holders);
  }

  /** Adds members where the others of the same definition are, or else in the file of its resource. */
  #extend(definition: Definition, missing: readonly Member[], holders: readonly Found[]): void {
    const names = definition.members.map(({ name }) => name);
    const home = this.#homeOf(definition.home);
    const sibling = holders.find(({ holder }) => membersOf(holder).some((node) => names.includes(nameOf(node))));
    const own = sibling ?? (definition.home === undefined ? undefined : holders.find(({ file }) => file.path === home));
    const only = holders.length === 1 && this.#files.size === 1 ? holders[0] : undefined;
    const target = own ?? only ?? (definition.home === undefined ? holders[0] : undefined);
    if (target) target.file.addMembers(target.holder, missing, names);
    else this.#file(home).append({ ...definition, members: missing }, true);
  }

  /** A root type is defined once, by its first resource, and extended by the others. */
  #append(definition: Definition): void {
    const isExtension = this.#added.has(definition.name);
    this.#added.add(definition.name);
    this.#file(this.#homeOf(definition.home)).append(definition, isExtension);
  }

  #file(path: string): SdlFile {
    const file = this.#files.get(path) ?? new SdlFile(path, '');
    this.#files.set(path, file);
    return file;
  }
}

type Found = { readonly file: SdlFile; readonly holder: Parameters<typeof membersOf>[0] };

/**
 * The file for what belongs to a resource, by the last segment of its path, and for what is shared. `isSplit`: a contract without SDL gets
 * a file for each resource, in `graphql/`, and not one for all.
 */
function homes(
  files: ReadonlyMap<string, SdlFile>,
  definitions: readonly Definition[],
  isSplit: boolean,
): (home: string | undefined) => string {
  const paths = [...files.keys()];
  if (paths.length === 0 && !isSplit) return () => 'schema.graphql';
  if (paths.length === 1 && !paths[0]!.includes('/')) return () => paths[0]!;
  const defining = (name: string): string | undefined =>
    paths.find((path) => files.get(path)!.definedNames.includes(name));
  const shared = paths.find((path) => files.get(path)!.holders('').length > 0) ?? defining('PageInfo') ?? paths[0];
  const folder = shared === undefined ? 'graphql/' : shared.slice(0, shared.lastIndexOf('/') + 1);
  const roots = new Set(
    definitions.filter(({ kind }) => kind === 'schema').flatMap(({ members }) => members.map((one) => one.type)),
  );
  return (home) => {
    if (home === undefined) return shared ?? `${folder}schema.graphql`;
    const own = definitions.find((one) => one.home === home && one.kind === 'type' && !roots.has(one.name));
    return (own && defining(own.name)) ?? `${folder}${home}.graphql`;
  };
}
