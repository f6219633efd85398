import { parse } from 'yaml';
import { childPointer, pointerTokens } from '../../descriptor/json-pointer.ts';
import { nodeAt } from '../../descriptor/references.ts';
import type { ContractFiles } from '../sync/contract-files.ts';
import type { OpenContract } from '../sync/open-contract.ts';
import type { Place } from '../sync/reference-text.ts';
import { removeBranch, replaceScalar } from '../sync/yaml-text.ts';

/** An entry of a mapping, or an item of a list, that goes from a document. */
export interface Part {
  readonly holder: object;
  readonly key: string | number;
  /** A number that the entry has then, instead. */
  readonly value?: number;
  /** How many of the mappings and lists around it go, too, when nothing else is in them. */
  readonly levels?: number;
}

/** A node that names a component, by `$ref`, `x-references` or the mapping of a discriminator. */
interface DocumentReference {
  readonly node: object;
  readonly key: string;
  /** `#/components/schemas/Book`. */
  readonly to: string;
}

/** What goes from a document. */
export interface Cut {
  readonly parts: readonly Part[];
  /** The components that go, as `#/components/schemas/Book`. */
  readonly names: ReadonlySet<string>;
  /** What stays, and refers to them. */
  readonly referring: readonly DocumentReference[];
  /** The components that nothing refers to any more, and that stay. */
  readonly idle: readonly string[];
}

const COMPONENT = /^#\/components\/[^/]+\/[^/]+$/;

/** The parts and `schemas` that go, with the components that `isAlong` names and nothing else refers to. */
export function documentCut(
  { side: { document } }: OpenContract,
  parts: readonly Part[],
  schemas: readonly string[],
  isAlong: (name: string) => boolean = () => false,
): Cut {
  const components = new Set(schemas.map((name) => `#${childPointer('/components/schemas', name)}`));
  for (;;) {
    const own: readonly Part[] = [...parts, ...[...components].flatMap((one) => componentPart(document, one) ?? [])];
    const isOwn = (holder: object, key: string | number): boolean =>
      own.some((part) => part.holder === holder && String(part.key) === String(key));
    const left = referencesIn(document, isOwn);
    const needed = new Set(left.map(({ to }) => to));
    const used = own.flatMap(({ holder, key }) => referencesIn(Reflect.get(holder, key)).map(({ to }) => to));
    const free = [...new Set(used)].filter((one) => !needed.has(one) && !components.has(one));
    const along = free.filter((one) => isAlong(nameOf(one)));
    if (along.length === 0)
      return { parts: own, names: components, referring: left.filter(({ to }) => components.has(to)), idle: free };
    for (const one of along) components.add(one);
  }
}

export const nameOf = (component: string): string => pointerTokens(component.slice(1)).at(-1) ?? '';

function componentPart(document: object, component: string): Part | undefined {
  const holder = nodeAt(document, component.slice(0, component.lastIndexOf('/')));
  return isObject(holder) && COMPONENT.test(component) ? { holder, key: nameOf(component), levels: 2 } : undefined;
}

const isObject = (node: unknown): node is object => typeof node === 'object' && node !== null;

function referencesIn(
  node: unknown,
  isGone: (holder: object, key: string) => boolean = () => false,
): readonly DocumentReference[] {
  if (!isObject(node)) return [];
  const isMapping = 'propertyName' in node && 'mapping' in node;
  return Object.entries(node).flatMap(([key, value]): readonly DocumentReference[] => {
    if (isGone(node, key)) return [];
    const to = key === 'x-references' ? `#/components/schemas/${String(value)}` : value;
    if ((key === '$ref' || key === 'x-references') && typeof to === 'string') return [{ node, key, to }];
    if (isMapping && key === 'mapping')
      return Object.entries(Object(value)).map(([name, ref]) => ({ node: Object(value), key: name, to: String(ref) }));
    return referencesIn(value, isGone);
  });
}

/** Removes parts from the files of a contract; files of which nothing is left go, too. */
export async function cutOut({ files, source, side }: OpenContract, { parts }: Cut): Promise<void> {
  const isPart = (holder: object, key: string): boolean =>
    parts.some((part) => part.holder === holder && part.key === key);
  const { document } = side;
  const holders = [nodeAt(document, '#/paths'), ...Object.values(Object(nodeAt(document, '#/components')) as object)];
  const kept = holders
    .filter(isObject)
    .flatMap((holder) =>
      Object.entries(holder).flatMap(([key, value]) =>
        isPart(holder, key) ? [] : [source.locate(Object(value) as object).file],
      ),
    );
  const places = parts.flatMap(({ holder, key, value, levels = 0 }) => {
    const inside: unknown = Reflect.get(holder, key);
    const [around, own] = [source.locate(holder), source.locate(holder, key)];
    const isKnown = own.file !== around.file || own.pointer !== around.pointer;
    return [
      ...(isKnown ? [{ ...own, levels, value }] : []),
      ...(isObject(inside) ? [{ ...source.locate(inside), levels, value }] : []),
    ];
  });
  // What is written where it is named goes once: behind it, the next item of a list would have its place.
  const unique = new Map(places.map((place) => [`${place.file}#${place.pointer}`, place]));
  // From the end of each file, so that the indices of lists before it stay as they are.
  for (const { value, levels, ...place } of [...unique.values()].sort(
    (a, b) => b.line - a.line || b.column - a.column,
  )) {
    const { file, pointer } = place;
    if (value !== undefined)
      await files.write(file, replaceScalar((await files.read(file)) ?? '', pointerTokens(pointer), value));
    else if (pointer !== '') await removeAt(files, place, levels);
    else if (file !== files.entry && !kept.includes(file)) await files.remove(file);
  }
}

async function removeAt(files: ContractFiles, { file, pointer }: Place, levels: number): Promise<void> {
  const text = await files.read(file);
  if (text === undefined) return;
  const path = pointerTokens(pointer);
  const left = removeBranch(text, path, path.length - 1 - levels);
  const isEmpty = file !== files.entry && Object.keys(Object(parse(left))).length === 0;
  await (isEmpty ? files.remove(file) : files.write(file, left));
}
