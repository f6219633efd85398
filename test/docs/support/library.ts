import { parse, stringify } from 'yaml';
import { pointerTokens } from '../../../src/descriptor/json-pointer.ts';
import { standardErrors } from '../../../src/descriptor/standard-errors.ts';
import { type Block, placeOf } from './blocks.ts';

/** Their examples are the library that docs/contract.md has to copy; those of all other documents are the storefront. */
const OF_LIBRARY = [
  'docs/contract.md',
  'docs/files.md',
  'docs/graphql.md',
  'docs/graphql-requests.md',
  'docs/handlers.md',
];

export const isOfLibrary = ({ document }: Block): boolean =>
  OF_LIBRARY.includes(document) || document.startsWith('docs/reference/');

type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What `…` stands for in an `ErrorCode`: the standard codes that are not written. */
function completed({ enum: codes, 'x-error-codes': words }: Node): Node {
  const standard = Object.values(standardErrors).map(({ code, ...rest }) => [code, rest] as const);
  const written = (codes as string[]).filter((code) => code !== '…');
  const added = standard.filter(([code]) => !written.includes(code)).map(([code]) => code);
  const given = words as Node;
  const all = Object.fromEntries(
    standard.map(([code, { status, title, description, retryable }]) => [
      code,
      { status, title, description, retryable },
    ]),
  );
  return { type: 'string', enum: [...written, ...added], 'x-error-codes': { ...all, ...given } };
}

function merged(target: Node, change: Node): Node {
  const members = Object.entries(change).map(([name, value]) => {
    const old = target[name];
    if (isNode(value) && Array.isArray(value['enum']) && value['enum'].includes('…')) return [name, completed(value)];
    return [name, isNode(value) && isNode(old) ? merged(old, value) : value];
  });
  return { ...target, ...Object.fromEntries(members) };
}

/** A fragment as a part of the whole document. */
const within = (pointer: string, fragment: unknown): unknown =>
  pointerTokens(pointer).reduceRight<unknown>((inner, token) => ({ [token]: inner }), fragment);

/**
 * The contract that docs/contract.md and docs/graphql.md say to copy, with everything that they and docs/reference/ add to it, by file.
 * Throws when a fragment cannot be parsed.
 */
export function libraryOf(blocks: readonly Block[]): Readonly<Record<string, string>> {
  const yaml = blocks.filter(({ language }) => language === 'yaml');
  const sdl = blocks.filter(({ language, words }) => language === 'graphql' && words.length > 0);
  const document = yaml
    .map((block) => within(block.markers.in ?? '', parsed(block)))
    .reduce<Node>((whole, part) => merged(whole, part as Node), {});
  return { 'openapi.yaml': stringify(document), 'schema.graphql': sdl.map(({ text }) => text).join('\n') };
}

function parsed(block: Block): unknown {
  try {
    return parse(block.text);
  } catch (error) {
    throw new Error(`${placeOf(block)}: ${(error as Error).message}`);
  }
}
