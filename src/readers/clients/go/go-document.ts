import { removeUnreferenced, renameSchemas } from '../../../compiler/emit/clients/index.ts';
import { resolveReference, schemaReference } from '../../../compiler/json-schema/index.ts';
import { apart, unspeakableIn, unwritableIn } from '../../../compiler/model/index.ts';
import { isNode, type Node, nodesBelow } from '../../../compiler/read/index.ts';
import {
  constantsToEnums,
  inlineSchemas,
  keepResults,
  namedSchemas,
  operationsIn,
  pathItemsIn,
} from '../common/document-parts.ts';
import type { FaultOf } from '../common/generate-most.ts';
import { goName, goSpelling } from './go-names.ts';

/**
 * The document as the generator for Go reads it. Failures are errors of the layer; values of enums get the names that Go would
 * give them, `ProductStatusActive`.
 */
export function goDocument(document: Node): Node {
  keepResults(document, /^[23]/);
  constantsToEnums(document);
  nameUnions(document);
  freeNames(document);
  for (const { node, kind } of nodesBelow(document, 'document')) {
    if (kind !== 'schema') continue;
    nameValues(node);
    widenNumber(node);
    nameProperties(node);
  }
  for (const holder of [...pathItemsIn(document), ...operationsIn(document)]) nameParameters(document, holder);
  removeUnreferenced(document);
  return document;
}

const TAKEN = [
  'Client',
  'ClientInterface',
  'ClientOption',
  'ClientWithResponses',
  'ClientWithResponsesInterface',
].concat(
  ['HttpRequestDoer', 'HTTPRequestDoer', 'RequestEditorFn', 'NewClient', 'NewClientWithResponses', 'WithHTTPClient'],
  ['WithBaseURL', 'WithRequestEditorFn', 'Error', 'String'],
);

/** What oapi-codegen makes of an operation, after its name. */
const OF_OPERATIONS = ['', 'Params', 'JSONBody', 'JSONRequestBody', 'Response', 'WithBody'];

/** Renames schemas, and parameters of `components`, whose types would have the name of something else. */
function freeNames(document: Node): void {
  const ids = operationsIn(document).map(({ operationId }) => goName(String(operationId)));
  const taken = new Set([...TAKEN, ...ids.flatMap((id) => OF_OPERATIONS.map((word) => id + word))]);
  renameSchemas(document, (name) => (taken.has(goName(name)) ? `${name}Model` : name));
  const { schemas = {}, parameters } = (document['components'] ?? {}) as Record<string, Record<string, Node>>;
  if (parameters === undefined) return;
  const types = new Set(Object.keys(schemas).map(goName));
  const inPlace = new Map<string, Node>(
    Object.entries(parameters).flatMap(([name, parameter]) =>
      types.has(goName(name)) ? [[`#/components/parameters/${name}`, parameter] as const] : [],
    ),
  );
  for (const holder of [...pathItemsIn(document), ...operationsIn(document)])
    if (Array.isArray(holder['parameters']))
      holder['parameters'] = holder['parameters'].map((one: Node) => inPlace.get(String(one['$ref'])) ?? one);
}

/** Names unions that may be null: the generator would give what is inside of `Nullable` no methods, so that nothing could read it. */
function nameUnions(document: Node): void {
  const schemas = namedSchemas(document);
  for (const { schema, name } of inlineSchemas(document))
    for (const word of ['oneOf', 'anyOf']) {
      const variants = [schema[word] ?? []].flat() as Node[];
      const others = variants.filter(({ type }) => type !== 'null');
      if (name in schemas || others.length === variants.length) continue;
      const { discriminator } = schema;
      const [only] = others;
      const union: Node =
        others.length === 1 && only ? only : { [word]: others, ...(isNode(discriminator) && { discriminator }) };
      if (!('oneOf' in union || 'anyOf' in union)) continue;
      schemas[name] = union;
      delete schema['discriminator'];
      schema[word] = [schemaReference(name), { type: 'null' }];
    }
}

/** Decimals, and other formats that Go has no type for, would have 32 bits. */
function widenNumber(schema: Node): void {
  const { type, format } = schema;
  if ([type].flat().includes('number') && format !== 'float') schema['format'] = 'double';
}

function nameValues(schema: Node): void {
  const names = valueNames(schema);
  delete schema['x-enum-varnames'];
  if (names) schema['x-enumNames'] = names;
}

/** Names of fields that Go would call alike. */
function nameProperties({ properties }: Node): void {
  if (!isNode(properties)) return;
  const names = Object.keys(properties);
  for (const name of names) {
    const own = apart(name, names, goSpelling);
    const schema = properties[name];
    if ((own !== name || /[^\w$ .-]/.test(name)) && isNode(schema)) schema['x-go-name'] = goName(own);
  }
}

/** Why a schema has no type in Go: `encoding/json` ignores such names of fields, and the generator writes values on one line. */
export const goFault: FaultOf = (schema, kind) => {
  if (kind !== 'schema') return undefined;
  const [name] = unspeakableIn(schema);
  const [value] = unwritableIn(schema);
  if (value !== undefined) return `no constant of Go can be generated for ${JSON.stringify(value)}`;
  return name === undefined ? undefined : `no field of Go can be called ${JSON.stringify(name)} in JSON`;
};

function nameParameters(document: Node, { parameters }: Node): void {
  const all = ((parameters ?? []) as Node[]).map((one) => resolveReference<Node>(document, one)).filter(isNode);
  const names = all.map(({ name }) => String(name));
  for (const parameter of all) {
    const own = apart(String(parameter['name']), names, goSpelling);
    if (own !== parameter['name']) parameter['x-go-name'] = goName(own);
  }
}

/** What the values of an enum are called after its type; undefined where the generator chooses. */
export function valueNames({ 'x-enum-varnames': given, enum: values }: Node): readonly string[] | undefined {
  const words = Array.isArray(given) ? given : values;
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string')) return undefined;
  const names = words.map(pascal);
  return names.every((name) => name !== '') && new Set(names).size === names.length ? names : undefined;
}

/** `CREATED_AT_DESC` → `CreatedAtDesc` */
function pascal(word: string): string {
  const parts = word.match(/[A-Za-z0-9]+/g) ?? [];
  return parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1).toLowerCase()).join('');
}
