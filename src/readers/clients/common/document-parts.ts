import { isNode, type Node, nodesBelow } from '../../../compiler/read/index.ts';
import { essenceOf, isJson } from '../../../descriptor/content.ts';
import { HTTP_METHODS } from '../../../descriptor/document.ts';

export const pathItemsIn = (document: Node): Node[] => Object.values(document['paths'] as Record<string, Node>);

/** The operations of a prepared document. */
export const operationsIn = (document: Node): Node[] =>
  pathItemsIn(document).flatMap((item) => HTTP_METHODS.map((method) => item[method]).filter(isNode));

/** Its parameters, each once: of operations, of paths, and those that they share. */
export function parametersIn(document: Node): Node[] {
  const { components } = document as { readonly components?: { readonly parameters?: Record<string, Node> } };
  const lists = [...pathItemsIn(document), ...operationsIn(document)].map(
    ({ parameters }) => (parameters ?? []) as Node[],
  );
  return [...lists.flat(), ...Object.values(components?.parameters ?? {})].filter(({ $ref }) => $ref === undefined);
}

/** Keeps the responses whose status matches, of every operation. */
export function keepResults(document: Node, status: RegExp): void {
  for (const operation of operationsIn(document)) {
    const responses = Object.entries(operation['responses'] as Node);
    operation['responses'] = Object.fromEntries(responses.filter(([key]) => status.test(key)));
  }
}

/** As the layers are written. */
export const ACCEPTED = 'application/json, */*;q=0.8';

/** What a client accepts: JSON before what an operation answers beside it. */
export function acceptedTypes(document: Node): string {
  const contents = operationsIn(document).flatMap(({ responses }) =>
    Object.values(responses as Record<string, Node>).map(({ content }) => Object.keys((content ?? {}) as Node)),
  );
  const types = contents.flat().filter((type) => isJson(type) && !type.includes('*'));
  return [...new Set(['application/json', ...types.map(essenceOf)]), '*/*;q=0.8'].join(', ');
}

/** Names of the fields of forms that are written as their members in brackets, `metadata[color]`. */
export function deepFields(document: Node): readonly string[] {
  const encodings = [...nodesBelow(document, 'document')].flatMap(({ node, kind }) =>
    kind === 'mediaType' && isNode(node['encoding']) ? Object.entries(node['encoding']) : [],
  );
  return [...new Set(encodings.filter(([, one]) => (one as Node)['style'] === 'deepObject').map(([name]) => name))];
}

/** Names of the parameters of the query whose members are in brackets, and of those that are one text, `a,1,b,2`. */
export function mapsIn(document: Node): { readonly deep: readonly string[]; readonly plain: readonly string[] } {
  const ofQuery = parametersIn(document).filter((one) => one['in'] === 'query');
  const named = (some: readonly Node[]) => some.map(({ name }) => String(name));
  return {
    deep: named(ofQuery.filter(({ style }) => style === 'deepObject')),
    plain: named(ofQuery.filter(({ style = 'form', explode }) => style === 'form' && explode === false)),
  };
}

/** Makes each constant an enum of one value, for generators that do not know `const`. */
export function constantsToEnums(document: Node): void {
  for (const { node, kind } of nodesBelow(document, 'document')) {
    if (kind !== 'schema' || !('const' in node)) continue;
    node['enum'] = [node['const']];
    delete node['const'];
  }
}

/** The schemas of `components`, and those inside of them with names that lead there, the innermost first. */
export function inlineSchemas(document: Node): readonly { readonly schema: Node; readonly name: string }[] {
  return Object.entries(namedSchemas(document)).flatMap(([name, schema]) => schemasIn(schema, name));
}

export const namedSchemas = (document: Node): Record<string, Node> =>
  ((document['components'] ?? {}) as { readonly schemas?: Record<string, Node> }).schemas ?? {};

function schemasIn(schema: Node, name: string): { readonly schema: Node; readonly name: string }[] {
  const { properties, items, oneOf, anyOf } = schema;
  const variants = (oneOf ?? anyOf ?? []) as readonly Node[];
  const parts: [string, unknown][] = [
    ...Object.entries(isNode(properties) ? properties : {}),
    ['item', items],
    ...variants.map((variant, index): [string, unknown] => [`type_${index}`, variant]),
  ];
  const inside = parts.flatMap(([key, own]) => (isNode(own) ? schemasIn(own, `${name}_${key}`) : []));
  return [...inside, { schema, name }];
}
