import type { Finding } from '../findings/finding.ts';
import { isNode, type Kind, type Node, nodesBelow } from './grammar.ts';
import type { SourceMap } from './source-map.ts';

/** What OpenAPI 3.2 adds and a server may do without: it is left out in silence. */
const ANNOTATIONS: Partial<Readonly<Record<Kind, readonly string[]>>> = {
  document: ['$self'],
  response: ['summary'],
  example: ['serializedValue'],
  securityScheme: ['deprecated', 'oauth2MetadataUrl'],
};

/** What OpenAPI 3.2 adds and this server does not do: it is left out, and a warning says what that means. */
const UNSERVED: Partial<Readonly<Record<Kind, Readonly<Record<string, string>>>>> = {
  pathItem: {
    query: 'The operation is not served: clients get 405. Offer a POST in addition.',
    additionalOperations: 'These operations are not served: clients get 405. Offer a POST in addition.',
  },
  mediaType: {
    itemSchema: 'The items of the stream are not described. Describe the whole in `schema`.',
    prefixEncoding: 'Describe the parts in `encoding`.',
    itemEncoding: 'Describe the parts in `encoding`.',
  },
  discriminator: { defaultMapping: 'Every value needs an entry in `mapping`, or a schema of its name.' },
};

/**
 * Makes an OpenAPI 3.2 document one of 3.1, in place. What 3.1 has no words for is left out; a warning reports each of
 * those that change what is served.
 */
export function downgradeTo31(document: Node, map: SourceMap): readonly Finding[] {
  const findings: Finding[] = [];
  document['openapi'] = '3.1.0';
  for (const tag of listOf(document['tags'])) for (const name of ['summary', 'parent', 'kind']) delete tag[name];
  for (const server of listOf(document['servers'])) delete server['name'];
  if (isNode(document['components'])) delete document['components']['mediaTypes'];
  for (const { node, kind } of nodesBelow(document, 'document')) downgrade(node, kind, map, findings);
  return findings;
}

const listOf = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

function downgrade(node: Node, kind: Kind, map: SourceMap, findings: Finding[]): void {
  const leaveOut = (name: string, hint: string): void => {
    findings.push(ignored(name, hint, map.locate(node, name)));
    delete node[name];
  };
  if (kind === 'response') node['description'] ??= node['summary'] ?? '';
  if (kind === 'example' && 'dataValue' in node) rename(node, 'dataValue', 'value', map);
  for (const name of ANNOTATIONS[kind] ?? []) delete node[name];
  for (const [name, hint] of Object.entries(UNSERVED[kind] ?? {})) if (node[name] !== undefined) leaveOut(name, hint);
  if (kind === 'pathItem' || kind === 'operation') withoutQuerystring(node, map, findings);
  if (kind === 'parameter' && node['style'] === 'cookie') delete node['style'];
  if (kind === 'securityScheme' && isNode(node['flows'])) delete node['flows']['deviceAuthorization'];
}

/** A parameter that is the whole query string has no like in 3.1. */
function withoutQuerystring(node: Node, map: SourceMap, findings: Finding[]): void {
  const { parameters } = node;
  if (!Array.isArray(parameters)) return;
  const isWhole = (one: unknown): boolean => isNode(one) && one['in'] === 'querystring';
  for (const one of parameters.filter(isWhole))
    findings.push(ignored('in: querystring', 'Declare each parameter of the query.', map.locate(one, 'in')));
  const kept = parameters.filter((one) => !isWhole(one));
  if (kept.length === parameters.length) return;
  map.setNode(kept, map.locate(parameters));
  node['parameters'] = kept;
}

function rename(node: Node, from: string, to: string, map: SourceMap): void {
  node[to] ??= node[from];
  map.setKey(node, to, map.locate(node, from));
  delete node[from];
}

const ignored = (what: string, hint: string, location: Finding['location']): Finding => ({
  rule: 'openapi-version',
  severity: 'warning',
  message: `\`${what}\` is new in OpenAPI 3.2 and is ignored.`,
  hint,
  location,
});
