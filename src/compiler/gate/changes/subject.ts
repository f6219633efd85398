import { HTTP_METHODS, type OpenApiDocument, type Operation, type Parameter } from '../../../descriptor/document.ts';
import { pointerTokens, valueAt } from '../../../descriptor/json-pointer.ts';
import { resolveReference } from '../../json-schema/references.ts';

/** What a pointer into a document is about. */
export interface Subject {
  /** For machines and waivers: `Order.status`. */
  readonly coordinate: string;
  /** For people: "property `status` of `Order`". */
  readonly words: string;
}

/** The innermost thing with a name that a pointer leads to or through. */
export function subjectAt(document: OpenApiDocument, pointer: string): Subject {
  const [root = '', group = '', name = '', ...rest] = pointerTokens(pointer.replace(/^#/, ''));
  if (root === 'paths') return name === '' ? named('path', group) : inPath(document, group, [name, ...rest]);
  if (root !== 'components' || name === '') return named('', root === '' ? 'document' : root);
  const within: Within = { document, node: valueAt(document, [root, group, name]), at: [root, group, name] };
  switch (group) {
    case 'schemas':
      return inSchema(named('schema', name), rest);
    case 'parameters':
      return inSchema(parameterSubject(within, name), afterSchema(rest));
    case 'responses':
      return inResponse(named('response', name), rest);
    case 'headers':
      return named('header', name);
    case 'requestBodies':
      return inSchema(named('request body', name), afterSchema(rest));
    case 'securitySchemes':
      return named('security scheme', name);
    default:
      return named(group, name);
  }
}

interface Within {
  readonly document: OpenApiDocument;
  readonly node: unknown;
  readonly at: readonly string[];
}

const named = (kind: string, name: string): Subject => ({
  coordinate: name,
  words: kind === '' ? `\`${name}\`` : `${kind} \`${name}\``,
});

function inPath(document: OpenApiDocument, path: string, [key = '', ...rest]: readonly string[]): Subject {
  const owner = named('path', path);
  if (key === 'parameters') return inParameters(document, ['paths', path, key], owner, rest);
  if (!(HTTP_METHODS as readonly string[]).includes(key)) return owner;
  const operation = valueAt(document, ['paths', path, key]) as Operation | undefined;
  const id = operation?.operationId ?? `${key.toUpperCase()} ${path}`;
  return inOperation(document, ['paths', path, key], named('operation', id), rest);
}

function inOperation(
  document: OpenApiDocument,
  at: readonly string[],
  owner: Subject,
  [key = '', ...rest]: readonly string[],
): Subject {
  if (key === 'parameters') return inParameters(document, [...at, key], owner, rest);
  if (key === 'requestBody')
    return inSchema({ coordinate: `${owner.coordinate}.body`, words: `body of ${owner.words}` }, afterSchema(rest));
  const [status, ...deeper] = rest;
  if (key !== 'responses' || status === undefined) return owner;
  const response = { coordinate: `${owner.coordinate}.${status}`, words: `response ${status} of ${owner.words}` };
  return inResponse(response, deeper);
}

function inParameters(
  document: OpenApiDocument,
  at: readonly string[],
  owner: Subject,
  [index, ...rest]: readonly string[],
): Subject {
  if (index === undefined) return owner;
  const place = [...at, index];
  const own = parameterSubject({ document, node: valueAt(document, place), at: place }, index);
  const parameter = { coordinate: `${owner.coordinate}.${own.coordinate}`, words: `${own.words} of ${owner.words}` };
  return inSchema(parameter, afterSchema(rest));
}

function parameterSubject({ document, node }: Within, otherwise: string): Subject {
  const parameter = resolveReference<Parameter>(document, node as Parameter);
  const name = parameter?.name ?? otherwise;
  return { coordinate: name, words: `${parameter?.in ?? ''} parameter \`${name}\``.trimStart() };
}

function inResponse(owner: Subject, [key, name, ...rest]: readonly string[]): Subject {
  if (key === 'headers' && name !== undefined)
    return { coordinate: `${owner.coordinate}.${name}`, words: `header \`${name}\` of ${owner.words}` };
  return inSchema(owner, key === undefined ? [] : afterSchema([key, name ?? '', ...rest]));
}

/** What follows `schema`, from a parameter, or from a body through its media type. */
const afterSchema = (tokens: readonly string[]): readonly string[] =>
  tokens.includes('schema') ? tokens.slice(tokens.indexOf('schema') + 1) : [];

/** Properties of properties are named by their path: `address.city`. */
function inSchema(owner: Subject, tokens: readonly string[]): Subject {
  const path = tokens.filter((_, i) => tokens[i - 1] === 'properties' && tokens[i - 2] !== 'properties').join('.');
  if (path === '') return owner;
  return {
    coordinate: `${owner.coordinate}.${path}`,
    words: `property \`${path}\` of ${owner.words.replace(/^schema /, '')}`,
  };
}
