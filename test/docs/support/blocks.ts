import { blockTokensOf, pages } from './markdown.ts';

/**
 * A code block of the documents. What a test needs to know of it and a reader does not stands in comments before it:
 * - `<!-- given: CODE -->`: TypeScript that the block takes for granted;
 * - `<!-- in: POINTER -->`: where YAML belongs in the contract;
 * - `<!-- schema: NAME -->`: the schema that JSON meets;
 * - `<!-- tested in: FILE -->`: the test that runs the block;
 * - `<!-- not run: REASON -->`: nothing runs it.
 */
export interface Block {
  readonly document: string;
  readonly line: number;
  /** The first word after the fence; `sh` for an indented block. */
  readonly language: string;
  /** The words after it. */
  readonly words: readonly string[];
  readonly text: string;
  readonly markers: Readonly<Partial<Record<Marker, string>>>;
}

const MARKERS = ['given', 'in', 'schema', 'tested in', 'not run'] as const;
type Marker = (typeof MARKERS)[number];

/** `docs/contract.md:35`, for messages. */
export const placeOf = ({ document, line }: Block): string => `${document}:${line}`;

/** All code blocks of the README and of `docs/`, in their order. */
export const readBlocks = (): readonly Block[] => pages.flatMap(blocksOf);

export function blocksOf(document: string): readonly Block[] {
  const blocks: Block[] = [];
  let markers: Record<string, string> = {};
  for (const { type, info, content, map } of blockTokensOf(document)) {
    if (type === 'html_block') {
      markers = { ...markers, ...markersIn(content, document) };
      continue;
    }
    if (type === 'fence' || type === 'code_block') {
      const [language = '', ...words] = type === 'fence' ? info.split(/\s+/) : ['sh'];
      blocks.push({ document, line: map![0] + 1, language, words, text: content, markers });
    }
    markers = {};
  }
  return blocks;
}

function markersIn(html: string, document: string): Record<string, string> {
  const found = [...html.matchAll(/<!--\s*([a-z ]+):\s*([\s\S]*?)\s*-->/g)].map(([, name, value]) => [name!, value!]);
  const unknown = found.find(([name]) => !(MARKERS as readonly string[]).includes(name!));
  if (unknown) throw new Error(`${document}: there is no marker \`${unknown[0]}\`.`);
  return Object.fromEntries(found);
}
