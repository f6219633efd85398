import { removeUnreferenced, renameSchemas } from '../../../compiler/emit/clients/index.ts';
import { resolveReference, schemaReference } from '../../../compiler/json-schema/index.ts';
import { valueName } from '../../../compiler/model/index.ts';
import { isNode, type Node, nodesBelow } from '../../../compiler/read/index.ts';
import { essenceOf } from '../../../descriptor/content.ts';
import { inlineSchemas, keepResults, namedSchemas, operationsIn, parametersIn } from '../common/document-parts.ts';
import { pythonClassName } from './python-identifiers.ts';

/**
 * The document as the generator for Python reads it. Failures are exceptions of the layer, so that answers have one type. Filters
 * get names that make an argument which can be read, and that the templates undo: `price. gt` is `price_gt`, sent as
 * `price[gt]`.
 */
export function pythonDocument(document: Node): Node {
  keepResults(document, /^2/);
  textBodies(document);
  for (const parameter of parametersIn(document)) {
    // The generator reads no media types of parameters: the caller gives their text.
    if (isNode(parameter['content'])) {
      delete parameter['content'];
      parameter['schema'] = { type: 'string' };
    }
    if (parameter['in'] === 'query')
      parameter['name'] = argumentName(String(parameter['name'])) + delimiterOf(parameter);
    // The generator gives header fields no lists: the caller joins them by commas (RFC 9110, 5.6.1).
    const { type } = resolveReference<Node>(document, parameter['schema'] as Node) ?? {};
    if (parameter['in'] === 'header' && type === 'array') parameter['schema'] = { type: 'string' };
  }
  for (const { node, kind } of nodesBelow(document, 'document')) if (kind === 'schema') nameValues(node);
  renameSchemas(document, (name) => (TAKEN.has(pythonClassName(name)) ? `${name}Model` : name));
  nameVariants(document);
  removeUnreferenced(document);
  return document;
}

/** Between the items of a list that is one text, or `{` of a map in brackets, for the templates to read. */
const delimiterOf = ({ style, explode = style === undefined || style === 'form' }: Node): string => {
  if (style === 'deepObject') return '{';
  if (explode) return '';
  return style === 'pipeDelimited' ? '|' : style === 'spaceDelimited' ? ';' : ',';
};

/** The generator knows no bodies of text: they are sent as they are, in UTF-8. Answers keep their type, without parameters. */
function textBodies(document: Node): void {
  const renamed = (holder: unknown, nameOf: (type: string) => string) => {
    const body = resolveReference<Node>(document, (holder ?? {}) as Node);
    if (!isNode(body?.['content'])) return;
    body['content'] = Object.fromEntries(Object.entries(body['content']).map(([type, media]) => [nameOf(type), media]));
  };
  for (const { requestBody, responses } of operationsIn(document)) {
    renamed(requestBody, (type) => (TEXT.test(type) ? `${essenceOf(type)}; charset=utf-8` : type));
    for (const response of Object.values(responses as Node))
      renamed(response, (type) => (TEXT.test(type) ? essenceOf(type) : type));
  }
}

const TEXT = /^text\/|[/+]xml\b/;

/** Classes that generated code uses by their own names. */
const TAKEN = new Set(
  `Any AuthenticatedClient BinaryIO BytesIO Callable Client Enum File FileTypes Generator HTTPStatus Literal Mapping RequestFiles
  Response T TextIO TypeVar UUID Unset`.split(/\s+/),
);

/** What the argument for a parameter of the query is called after. */
export const argumentName = (parameter: string): string => parameter.replace(/\[([^[\]]*)\]$/, '. $1');

/** The generator names values by their places if they do not begin with a letter, and refuses those that are neither texts nor integers. */
function nameValues(schema: Node): void {
  const { enum: values } = schema;
  if (!Array.isArray(values)) return;
  const named = values.filter((value) => value !== null);
  const texts = named.filter((value) => typeof value === 'string');
  if (texts.length === named.length) schema['x-enum-varnames'] ??= texts.map((text) => valueName(text, texts));
  else if (!named.every((value) => Number.isInteger(value))) delete schema['enum'];
}

/** Names the objects of unions as the generator would, which makes what is inside of them twice without a name. */
function nameVariants(document: Node): void {
  const schemas = namedSchemas(document);
  for (const { schema, name } of inlineSchemas(document))
    for (const word of ['oneOf', 'anyOf'])
      if (Array.isArray(schema[word]))
        schema[word] = schema[word].map((variant: Node, index) => {
          const own = `${name}_type_${index}`;
          if (!isNode(variant['properties']) || own in schemas) return variant;
          schemas[own] = variant;
          return schemaReference(own);
        });
}
