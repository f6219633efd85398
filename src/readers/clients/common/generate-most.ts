import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ResourceTree, removeUnreferenced } from '../../../compiler/emit/clients/index.ts';
import { isNode, type Kind, type Node, nodesBelow } from '../../../compiler/read/index.ts';
import { HTTP_METHODS } from '../../../descriptor/document.ts';
import type { ClientInput, LeftOut } from './client-language.ts';
import { ToolFailure } from './run-tool.ts';

interface Place {
  readonly method: string;
  readonly path: string;
}

/** Why a language cannot express an object of the document. */
export type FaultOf = (node: Node, kind: Kind) => string | undefined;

/** What openapi-python-client says of an operation that it skips. */
const SKIPPED = /parsing ([A-Z]+) (\S+) within .*?Endpoint will not be generated\.\s*(\S[^\n]*)?/g;
/** Lines of output that explain nothing. */
const NOISE =
  /^(?:at |\.\.\. |\[main]|WARNING|Generating |Failure to |[/{}"\]]|If you believe|[╭│╰]|Error\(s\)|Warning\(s\))/;

/**
 * Has a generator write the operations of `input.document` that it can express; the input without the others, which `leftOut` names, and
 * without those that lead to an object of which `faultOf` names a fault that the generator would not see. Throws `ConfigError` if the fault lies
 * elsewhere.
 */
export async function generateMost(
  input: ClientInput,
  generate: (document: Node) => Promise<unknown>,
  faultOf: FaultOf = () => undefined,
): Promise<ClientInput> {
  const leftOut: LeftOut[] = [...unseenFaults(input.document, faultOf)];
  let document = partOf(input.document, (place) => !leftOut.some((fault) => isSame(fault, place)));
  for (;;) {
    const failure = await failureOf(input.folder, () => generate(document));
    if (failure === undefined) return without({ ...input, document, leftOut });
    const faults = await faultsOf(document, failure, (part) => failureOf(input.folder, () => generate(part)));
    if (faults.length === 0) throw failure;
    leftOut.push(...faults);
    document = partOf(document, (place) => !faults.some((fault) => isSame(fault, place)));
  }
}

function unseenFaults(document: Node, faultOf: FaultOf): readonly LeftOut[] {
  const faultIn = (part: Node) =>
    [...nodesBelow(part, 'document')].map(({ node, kind }) => faultOf(node, kind)).find(Boolean);
  if (faultIn(document) === undefined) return [];
  return placesIn(document).flatMap((place) => {
    const reason = faultIn(partOf(document, (one) => isSame(one, place)));
    return reason === undefined ? [] : [faultAt(document, place, reason)];
  });
}

const isSame = (a: Place, b: Place): boolean => a.method === b.method && a.path === b.path;

async function failureOf(folder: string, generate: () => Promise<unknown>): Promise<ToolFailure | undefined> {
  const names = (await readdir(folder)).filter((name) => name !== '.lockstep-client');
  for (const name of names) await rm(join(folder, name), { recursive: true });
  try {
    await generate();
    return undefined;
  } catch (error) {
    if (error instanceof ToolFailure) return error;
    throw error;
  }
}

/** The operations that a failure names, or those whose absence ends it. */
async function faultsOf(
  document: Node,
  failure: ToolFailure,
  attempt: (part: Node) => Promise<ToolFailure | undefined>,
): Promise<LeftOut[]> {
  const places = placesIn(document);
  const named = [...failure.output.matchAll(SKIPPED)].flatMap(([, method = '', path = '', reason]) => {
    const place = { method: method.toLowerCase(), path };
    return places.some((one) => isSame(one, place)) ? [faultAt(document, place, reason ?? reasonOf(failure))] : [];
  });
  if (named.length > 0) return named;
  if (await attempt(partOf(document, () => false))) return [];
  const search = async (some: readonly Place[], last: ToolFailure): Promise<LeftOut[]> => {
    if (some.length < 2) return some.map((place) => faultAt(document, place, reasonOf(last)));
    const middle = Math.ceil(some.length / 2);
    const found: LeftOut[] = [];
    for (const half of [some.slice(0, middle), some.slice(middle)]) {
      const next = await attempt(partOf(document, (place) => half.some((one) => isSame(one, place))));
      if (next) found.push(...(await search(half, next)));
    }
    return found;
  };
  return search(places, failure);
}

const placesIn = ({ paths }: Node): Place[] =>
  Object.entries(paths as Record<string, Node>).flatMap(([path, item]) =>
    HTTP_METHODS.filter((method) => isNode(item[method])).map((method) => ({ method, path })),
  );

function faultAt({ paths }: Node, { method, path }: Place, reason: string): LeftOut {
  const operation = (paths as Record<string, Record<string, Node>>)[path]?.[method];
  return { operationId: String(operation?.['operationId']), method, path, reason };
}

const reasonOf = ({ output }: ToolFailure): string => {
  const lines = output.split('\n').map((line) => line.trim());
  const telling = lines
    .filter((line) => line !== '' && !NOISE.test(line))
    .map((line) => line.replaceAll(/^Cannot parse response for status code <.*?> \((.*)\), response.*/g, '$1'))
    .map((line) => line.replaceAll(/<[\w.]+ object at \w+>/g, '…'));
  return telling.slice(0, 2).join(' ').slice(0, 300) || 'the generator does not say why';
};

function partOf(document: Node, isKept: (place: Place) => boolean): Node {
  const part: Node = JSON.parse(JSON.stringify(document));
  const paths = part['paths'] as Record<string, Node>;
  for (const place of placesIn(part)) if (!isKept(place)) delete paths[place.path]?.[place.method];
  for (const [path, item] of Object.entries(paths))
    if (!HTTP_METHODS.some((method) => isNode(item[method]))) delete paths[path];
  removeUnreferenced(part);
  return part;
}

/** The input whose resources and example have only the operations that were written. */
function without(input: ClientInput): ClientInput {
  const ids = new Set(input.leftOut.map(({ operationId }) => operationId));
  if (ids.size === 0) return input;
  const { example } = input;
  return {
    ...input,
    resources: input.resources.map((tree) => withActions(tree, ids)),
    example: example && !ids.has(example.operationId) ? example : undefined,
  };
}

const withActions = (tree: ResourceTree, ids: ReadonlySet<string>): ResourceTree => ({
  ...tree,
  resource: tree.resource && {
    ...tree.resource,
    actions: Object.fromEntries(
      Object.entries(tree.resource.actions).filter(([, { operationId }]) => !ids.has(operationId)),
    ),
  },
  children: tree.children.map((child) => withActions(child, ids)),
});
