import { CONSISTENCY_TOKEN } from '../../../descriptor/consistency-token.ts';
import type { OpenApiDocument, Operation, Parameter, Reference } from '../../../descriptor/document.ts';
import {
  CONSISTENCY_TOKEN_PATTERN,
  ENTITY_TAGS_PATTERN,
  IDEMPOTENCY_KEY_PATTERN,
} from '../../../descriptor/implied-patterns.ts';
import { childPointer } from '../../../descriptor/json-pointer.ts';
import { isReference } from '../../../descriptor/references.ts';
import { ROLES } from '../../../descriptor/roles.ts';
import { isSchemaObject } from '../../json-schema/flat-schema.ts';
import type { DecidedOperation } from './decided-operation.ts';

type Parameters = Record<string, Parameter>;
type Described = Parameter & { readonly description: string };

const field = (name: string, pattern: string, description: string): Described => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string', pattern },
});

const IF_MATCH = field(
  'If-Match',
  ENTITY_TAGS_PATTERN,
  'Change the resource only if its version is one of these entity tags (RFC 9110, section 13.1.1).',
);
const IF_NONE_MATCH = field(
  'If-None-Match',
  ENTITY_TAGS_PATTERN,
  'The entity tag of what the caller has: 304 if it is still current (RFC 9110, section 13.1.2).',
);
const CONSISTENCY = field(
  CONSISTENCY_TOKEN,
  CONSISTENCY_TOKEN_PATTERN,
  'What the answer of a write had in the same field: this answer contains that write, and all before it.',
);
const IDEMPOTENCY_KEY = field(
  'Idempotency-Key',
  IDEMPOTENCY_KEY_PATTERN,
  'The same key creates once; a request that is repeated gets the same answer.',
);

/** Header fields that an operation of a resource reads, and that a contract need not repeat. */
const READ_BY: { readonly [H in (typeof ROLES)['get']['heeds']]: readonly Parameter[] } = {
  tag: [IF_NONE_MATCH, CONSISTENCY],
  key: [IDEMPOTENCY_KEY],
  version: [IF_MATCH],
  nothing: [],
};

const PATTERNS: Readonly<Record<string, string>> = {
  'if-match': ENTITY_TAGS_PATTERN,
  'if-none-match': ENTITY_TAGS_PATTERN,
  'idempotency-key': IDEMPOTENCY_KEY_PATTERN,
  'consistency-token': CONSISTENCY_TOKEN_PATTERN,
};

/**
 * The components of parameters, with the pattern of each header field that only actions read: custom operations take what
 * they like.
 */
export function headersWithPatterns(document: OpenApiDocument, operations: readonly DecidedOperation[]): Parameters {
  const custom = operations.filter(({ model }) => model.default === undefined).map(({ draft }) => draft);
  const byCustom = new Set<unknown>(custom.flatMap(({ parameters }) => parameters));
  const entries = Object.entries(document.components?.parameters ?? {}).map(
    ([name, parameter]) => [name, byCustom.has(parameter) ? parameter : withPattern(parameter)] as const,
  );
  return Object.fromEntries(entries);
}

/**
 * The parameters of an action with the header fields that it reads, and their patterns. Those added here are components in
 * `shared`, unless the contract has one for the field.
 */
export function withRequestHeaders(
  shared: Parameters,
  { draft, model }: DecidedOperation,
  parameters: Operation['parameters'],
): Operation['parameters'] {
  const action = model.default?.action;
  if (action === undefined) return parameters;
  const isTaken = ({ name }: Parameter): boolean => draft.parameters.some((one) => isHeader(one, name));
  const own = (parameters ?? []).map((one) => (isReference(one) ? one : withPattern(one)));
  const all = [...own, ...READ_BY[ROLES[action].heeds].filter((one) => !isTaken(one)).map((one) => share(shared, one))];
  return all.length > 0 ? all : parameters;
}

/** A parameter that only says it is a text gets the pattern that the server holds it to. */
function withPattern(parameter: Parameter): Parameter {
  const { schema } = parameter;
  const pattern = parameter.in === 'header' ? PATTERNS[parameter.name.toLowerCase()] : undefined;
  if (!pattern || !isSchemaObject(schema) || schema['type'] !== 'string') return parameter;
  if (['pattern', 'enum', 'const', '$ref', 'format'].some((keyword) => keyword in schema)) return parameter;
  return { ...parameter, schema: { ...schema, pattern } };
}

/** A reference to the component for the field, which is added if it is missing. */
function share(shared: Parameters, parameter: Parameter): Reference {
  const known = Object.keys(shared).find((key) => isHeader(shared[key]!, parameter.name) && !shared[key]!.required);
  const key = known ?? freeKey(shared, parameter.name.replaceAll('-', ''));
  shared[key] ??= parameter;
  return { $ref: `#${childPointer('/components/parameters', key)}` };
}

const freeKey = (shared: Parameters, key: string): string =>
  Object.hasOwn(shared, key) ? freeKey(shared, `${key}Header`) : key;

const isHeader = ({ in: place, name }: Parameter, field: string): boolean =>
  place === 'header' && name.toLowerCase() === field.toLowerCase();
