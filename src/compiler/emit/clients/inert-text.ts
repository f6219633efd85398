import { type Node, nodesBelow } from '../../read/grammar.ts';

/**
 * A text of the contract that ends no comment and no string of what generators write. Java reads `\u002a` as a character of its
 * source, inside of comments as well (Java Language Specification, 3.3).
 */
export const inertText = (text: string): string =>
  text
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replaceAll('*/', '* /')
    .replaceAll('"""', "'''")
    .replace(/\\(?=u|$)/g, '\\ ');

const DESCRIBED = ['description', 'summary', 'title'];

/** Makes the texts of a document inert. Titles of schemas go: generators name classes by them, the same for two schemas. */
export function makeTextsInert(document: Node): void {
  for (const { node, kind } of nodesBelow(document, 'document')) {
    if (kind === 'example') continue;
    if (kind === 'schema' && typeof node['title'] === 'string') delete node['title'];
    const described = kind === 'document' ? [node['info'], node['tags'], node['servers'], node].flat() : [node];
    for (const part of described as (Node | undefined)[])
      for (const name of DESCRIBED)
        if (part && typeof part[name] === 'string') part[name] = inertText(part[name] as string);
  }
}
