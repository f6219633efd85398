import { contentOf, isJson } from '../../../descriptor/content.ts';
import type { MediaType } from '../../../descriptor/document.ts';
import { resolveReference } from '../../json-schema/references.ts';
import { isNode, type Node } from '../../read/grammar.ts';
import type { ClientOperation } from './client-operation.ts';

const JSON_TYPE = 'application/json';

/** Keeps one media type of each body, JSON where there is a choice: generators make a method, or a union, of each. */
export function simplifyBodies(document: Node, operations: readonly ClientOperation[]): void {
  for (const { node } of operations) {
    const { requestBody } = node;
    const body = isNode(requestBody) ? resolveReference<Node>(document, requestBody) : undefined;
    if (body) keepOneType(document, body);
  }
}

/** Of a body or a response. */
export function keepOneType(document: Node, holder: Node): void {
  if (!isNode(holder['content'])) return;
  const content = contentOf(document, holder['content'] as Record<string, MediaType>);
  const types = Object.keys(content);
  const kept = types.includes(JSON_TYPE) ? JSON_TYPE : (types.find(isJson) ?? types[0]);
  holder['content'] = Object.fromEntries(
    Object.entries(content)
      .filter(([type]) => type === kept)
      .map(([type, media]) => [
        // Clients write UTF-8 without a word.
        type.replace(/\s*;\s*charset="?utf-8"?/i, ''),
        /[/+]xml$/.test(type) ? { schema: { type: 'string' } } : { schema: anyValue(type), ...media },
      ]),
  );
}

/** The schema of a media type that declares none. */
const anyValue = (type: string): Node => {
  if (isJson(type)) return {};
  return type.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' };
};
