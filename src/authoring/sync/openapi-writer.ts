import { parse } from 'yaml';
import { FragmentSpeller, type GraphqlView, graphqlView, writtenSpelling } from '../../compiler/graphql/names/index.ts';
import { type ContractSource, kebabCase, pathShape } from '../../compiler/model/index.ts';
import { draftContract } from '../../compiler/model/resources/index.ts';
import { pointerTokens } from '../../descriptor/json-pointer.ts';
import type { ContractFiles } from './contract-files.ts';
import { outputNamedIn, withEditorLine } from './editor-line.ts';
import type { Json } from './openapi-resource.ts';
import { type Place, referenceTo, withReferences } from './reference-text.ts';
import { addEntries, addItems, replaceScalar, type YamlPath } from './yaml-text.ts';

type Component = 'schemas' | 'parameters';

/** A path with its operations. `file`: the name of its own file in `paths/`, where the contract is split. */
interface NewPath {
  readonly path: string;
  readonly file: string;
  readonly item: Json;
}

const COMPONENT = /^#\/components\/(schemas|parameters)\/([^/]+)$/;

/**
 * Writes into the OpenAPI side of a contract, in its own style: into files of their own where it is split into files, else into the
 * document. Values refer to `#/components`; what is written refers to where that stands. Names are GraphQL's, and become those of the
 * document.
 */
export class OpenApiWriter {
  readonly #files: ContractFiles;
  readonly #source: ContractSource;
  /** What has been added, as `schemas/Book`. */
  readonly #added = new Set<string>();
  readonly #spelling: ReturnType<typeof writtenSpelling>;
  readonly #speller: FragmentSpeller;
  readonly view: GraphqlView;
  readonly isSplit: boolean;

  constructor(files: ContractFiles, source: ContractSource) {
    this.#files = files;
    this.#source = source;
    // Whatever is wrong with the contract.
    this.view = graphqlView(draftContract({ ...source, sdl: undefined }), []);
    this.#spelling = writtenSpelling(this.view);
    this.#speller = new FragmentSpeller(this.view.draft.document, this.#spelling);
    const { paths, components } = source.document;
    const isEmpty = Object.keys(paths ?? {}).length === 0 && Object.keys(components?.schemas ?? {}).length === 0;
    this.isSplit = files.has('paths') || files.has('schemas') || (isEmpty && /\.ya?ml$/.test(files.entry));
  }

  /** Whether the contract has a component, or a file for it in the folder of its kind. */
  has(kind: Component, name: string): boolean {
    return this.#place(kind, this.#named(kind, name)) !== undefined;
  }

  /** Whether the contract has a path of this shape, whatever its parameters are called. */
  hasPath(path: string): boolean {
    return this.view.draft.paths.some((one) => pathShape(one.path) === pathShape(path));
  }

  /** The value of a component as its file has it. */
  async component(kind: Component, name: string): Promise<Json | undefined> {
    const place = this.#place(kind, this.#named(kind, name));
    const text = place && (await this.#files.read(place.file));
    if (text === undefined) return undefined;
    return pointerTokens(place!.pointer).reduce((node, key) => Object(node)[key], parse(text) as unknown) as Json;
  }

  #named(kind: Component, name: string): string {
    return kind === 'schemas' ? this.#spelling.type(name) : name;
  }

  #place(kind: Component, name: string): Place | undefined {
    const node = this.#source.document.components?.[kind]?.[name] as object | undefined;
    if (node !== undefined && typeof node === 'object') return this.#source.locate(node);
    const file = `${kind}/${name}.yaml`;
    if (this.#files.has(file)) return { file, pointer: '' };
    return this.#added.has(`${kind}/${name}`) ? this.#newPlace(kind, name) : undefined;
  }

  #newPlace(kind: Component, name: string): Place {
    return this.isSplit
      ? { file: `${kind}/${name}.yaml`, pointer: '' }
      : { file: this.#files.entry, pointer: `/components/${kind}/${name}` };
  }

  /** Adds a component, unless there is one. */
  addComponent(kind: Component, name: string, value: Json): Promise<void> {
    return this.addComponents(kind, { [name]: value });
  }

  /** Adds components at once, but for those that there are. */
  async addComponents(kind: Component, values: Readonly<Record<string, Json>>): Promise<void> {
    const entries: Record<string, Json> = {};
    for (const [name, value] of Object.entries(values)) {
      if (this.has(kind, name)) continue;
      const own = this.#named(kind, name);
      this.#added.add(`${kind}/${own}`);
      const spelled = (kind === 'schemas' ? this.#speller.schema(value) : this.#speller.structure(value)) as Json;
      if (this.isSplit) await this.#create(this.#newPlace(kind, own).file, spelled);
      else entries[own] = spelled;
    }
    await this.#write({ file: this.#files.entry, pointer: `/components/${kind}` }, entries);
  }

  /** Adds a path with its operations. `file`: the name of its own file in `paths/`, where the contract is split. */
  addPath(path: string, file: string, item: Json): Promise<void> {
    return this.addPaths([{ path, file, item }]);
  }

  /** Adds paths at once. */
  async addPaths(paths: readonly NewPath[]): Promise<void> {
    const entries: Record<string, Json> = {};
    for (const { path, file, item } of paths) {
      const own = `paths/${kebabCase(file)}.yaml`;
      const spelled = this.#speller.structure(item) as Json;
      if (this.isSplit) await this.#create(own, spelled);
      entries[this.#speller.path(path)] = this.isSplit ? { $ref: own } : spelled;
    }
    await this.#write({ file: this.#files.entry, pointer: '/paths' }, entries);
  }

  async #create(file: string, value: Json): Promise<void> {
    const text = addEntries('', [], this.#relocated(value, file) as Json);
    const output = outputNamedIn((await this.#files.read(this.#files.entry)) ?? '');
    await this.#files.write(file, output === undefined ? text : withEditorLine(file, text, output));
  }

  /** Adds an entry to the mapping at a place, or at `below` it, which is added if it is missing. */
  async addEntry(place: Place, key: string, value: unknown, below: YamlPath = []): Promise<void> {
    await this.#write(place, { [key]: this.#speller.structure(value) }, below);
  }

  /** Adds an entry whose value is the name of a field. */
  async addNamed(place: Place, key: string, name: string): Promise<void> {
    await this.#write(place, { [key]: this.#spelling.field(name) });
  }

  /** Adds a property to the `properties` at a place, or at `below` it. */
  async addProperty(place: Place, name: string, schema: unknown, below: YamlPath = []): Promise<void> {
    await this.#write(place, { [this.#spelling.field(name)]: this.#speller.schema(schema) }, below);
  }

  async #write(place: Place, entries: Json, below: YamlPath = []): Promise<void> {
    if (Object.keys(entries).length === 0) return;
    await this.#edit(place, (text, path) =>
      addEntries(text, [...path, ...below], this.#relocated(entries, place.file) as Json),
    );
  }

  /** Adds the name of a property, perhaps behind a `-`, or several with dots between them, to the list at a place, or at `below` it. */
  async addName(place: Place, name: string, below: YamlPath = []): Promise<void> {
    await this.addItem(
      place,
      name.replace(/[^-.][^.]*/g, (field) => this.#spelling.field(field)),
      below,
    );
  }

  addItem(place: Place, item: unknown, below: YamlPath = []): Promise<void> {
    return this.addItems(place, [item], below);
  }

  async addItems(place: Place, given: readonly unknown[], below: YamlPath = []): Promise<void> {
    const items = given.map((item) => this.#relocated(this.#speller.structure(item), place.file));
    await this.#edit(place, (text, path) => addItems(text, [...path, ...below], items));
  }

  /** Writes another number below a place, where there is one. */
  async replaceNumber(place: Place, value: number, below: YamlPath): Promise<void> {
    await this.#edit(place, (text, path) => replaceScalar(text, [...path, ...below], value));
  }

  async #edit({ file, pointer }: Place, edit: (text: string, path: YamlPath) => string): Promise<void> {
    const text = (await this.#files.read(file)) ?? '';
    await this.#files.write(file, edit(text, pointerTokens(pointer)));
  }

  /** A value with its references to components as they are written in a file; those that there are not will be added. */
  #relocated(value: unknown, from: string): unknown {
    return withReferences(value, (ref) => {
      const [, kind, name] = COMPONENT.exec(ref) ?? [];
      if (kind === undefined || name === undefined) return ref;
      const component = kind as Component;
      return referenceTo(this.#place(component, name) ?? this.#newPlace(component, name), from);
    });
  }
}
