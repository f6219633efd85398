import { type Node, nodesBelow } from '../../read/grammar.ts';
import { PAYLOADS } from './unreferenced.ts';

/** What generators read of the extensions. */
const KEPT = ['x-enum-varnames', PAYLOADS];

const EXAMPLES = ['example', 'examples'];

/** Removes extensions, which speak to Lockstep, and examples, which some generators take for defaults. */
export function removeUnread(document: Node): void {
  for (const { node, kind } of nodesBelow(document, 'document')) {
    if (kind === 'example') continue;
    const isMap = kind === 'components' || kind === 'callback';
    for (const name of Object.keys(node))
      if ((name.startsWith('x-') && !KEPT.includes(name)) || (!isMap && EXAMPLES.includes(name))) delete node[name];
    if (kind === 'document') for (const part of described(node)) removeExtensions(part);
  }
}

/** What describes the document, and holds no schema. */
const described = ({ info, servers = [], tags = [] }: Node): readonly Node[] => [info, servers, tags].flat() as Node[];

function removeExtensions(node: Node): void {
  for (const name of Object.keys(node)) if (name.startsWith('x-')) delete node[name];
}
