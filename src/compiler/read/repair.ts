import type { Finding } from '../findings/finding.ts';
import { isNode, type Node, nodesBelow } from './grammar.ts';
import type { SourceMap } from './source-map.ts';

/**
 * Gives a meaning to what ordinary documents write and what has none as it stands, in place: an empty `enum`, which no
 * value would meet, and several media types under one name, which no message would.
 */
export function repair(document: Node, map: SourceMap): readonly Finding[] {
  const findings: Finding[] = [];
  for (const { node, kind } of nodesBelow(document, 'document')) {
    const { content, enum: values } = node;
    if ((kind === 'requestBody' || kind === 'response') && isNode(content)) splitMediaTypes(content, map);
    if (kind !== 'schema' || !Array.isArray(values) || values.length > 0) continue;
    findings.push(emptyEnum(map.locate(node, 'enum')));
    delete node['enum'];
  }
  return findings;
}

/** Each of `image/png, image/jpeg` gets an entry of its own. */
function splitMediaTypes(content: Node, map: SourceMap): void {
  for (const [types, media] of Object.entries(content)) {
    if (!/^[^",;]+(?:,[^",;]+)+$/.test(types)) continue;
    for (const type of types.split(',').map((one) => one.trim())) {
      if (Object.hasOwn(content, type)) continue;
      content[type] = media;
      map.setKey(content, type, map.locate(content, types));
    }
    delete content[types];
  }
}

const emptyEnum = (location: Finding['location']): Finding => ({
  rule: 'openapi-structure',
  severity: 'warning',
  message: 'This `enum` is empty, so that no value would be valid; it is ignored.',
  hint: 'List the values, or remove `enum`.',
  location,
});
