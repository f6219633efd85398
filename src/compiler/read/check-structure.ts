import { Validator } from '@seriousme/openapi-schema-validator';
import type { ErrorObject } from 'ajv';
import { withArticle } from '../../descriptor/article.ts';
import { pointerTokens } from '../../descriptor/json-pointer.ts';
import type { Keep } from '../../descriptor/keep.ts';
import type { Finding } from '../findings/finding.ts';
import { childrenOf, isNode, type Kind, type Node } from './grammar.ts';
import { schemaValidator } from './schema-dialect.ts';
import type { SourceMap } from './source-map.ts';

/** Compiles the schema of OpenAPI when it sees the first document, and keeps it. */
const openApi = new Validator({ allErrors: true });

const VALID = 'valid-document';

/** Keywords whose errors only say that a branch failed; the errors of the branch say why. */
const SUMMARIES = new Set(['oneOf', 'anyOf', 'allOf', 'if', 'not']);

/**
 * Finds what is not valid OpenAPI 3.1 in a document (https://spec.openapis.org/oas/3.1/schema), and what is not valid
 * JSON Schema in its schemas. References are not resolved here. A document that `keep` knows to be valid is not validated again.
 */
export async function checkStructure(document: Node, map: SourceMap, keep?: Keep): Promise<Finding[]> {
  const inputs = keep ? [JSON.stringify(document)] : [];
  if (keep?.read(VALID, inputs) !== undefined) return [];
  const { errors } = await openApi.validate(document);
  const faults = Array.isArray(errors) ? errors : [];
  const found = [...findings('valid OpenAPI', document, faults, map), ...schemaFindings(document, map)];
  if (found.length === 0) keep?.write(VALID, inputs, '');
  return found;
}

/** The JSON Schema of OpenAPI does not cover the content of schemas, which belongs to their dialect. */
function schemaFindings(document: Node, map: SourceMap): Finding[] {
  const validate = schemaValidator();
  return [...outermostSchemas(document, 'document', new Set())].flatMap((schema) => {
    validate(schema);
    return findings('a valid schema', schema, validate.errors ?? [], map);
  });
}

function* outermostSchemas(node: Node, kind: Kind, visited: Set<Node>): Generator<Node> {
  if (visited.has(node)) return;
  visited.add(node);
  if (kind === 'schema') yield node;
  else
    for (const { child, kind: childKind } of childrenOf(node, kind)) yield* outermostSchemas(child, childKind, visited);
}

/** One finding per location; `root` is the value that the errors' paths start from. */
function findings(language: string, root: Node, errors: readonly ErrorObject[], map: SourceMap): Finding[] {
  const faults = new Map<string, Finding>();
  for (const error of errors) {
    if (SUMMARIES.has(error.keyword)) continue;
    const location = locate(root, error, map);
    const place = `${location.file} ${location.pointer} ${error.params['missingProperty'] ?? ''}`;
    if (faults.has(place)) continue;
    faults.set(place, {
      rule: 'openapi-structure',
      severity: 'error',
      message: `This is not ${language}: ${explain(error)}.`,
      hint: hintFor(error),
      location,
    });
  }
  return [...faults.values()];
}

const unknownKey = ({ params }: ErrorObject): string | undefined =>
  params['additionalProperty'] ?? params['unevaluatedProperty'];

function explain(error: ErrorObject): string {
  const what = error.instancePath === '' ? 'the object' : `\`${pointerTokens(error.instancePath).at(-1)}\``;
  switch (error.keyword) {
    case 'required':
      return `${what} has no \`${error.params['missingProperty']}\``;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `${what} must not have the property \`${unknownKey(error)}\``;
    case 'enum':
      return `${what} must be one of ${error.params['allowedValues'].join(', ')}`;
    case 'type':
      return `${what} must be ${typeIn(error)}`;
    default:
      return `${what} ${error.message ?? 'is not valid'}`;
  }
}

const typeIn = ({ params }: ErrorObject): string =>
  [params['type']]
    .flat()
    .map((type) => (type === 'null' ? type : withArticle(type)))
    .join(' or ');

function hintFor(error: ErrorObject): string {
  const { keyword, params, instancePath } = error;
  if (keyword === 'required') return `Add \`${params['missingProperty']}\`.`;
  if (keyword === 'type') return `Write ${typeIn(error)}, or remove it.`;
  if (keyword !== 'unevaluatedProperties' && keyword !== 'additionalProperties') return 'Correct it, or remove it.';
  if (instancePath === '/paths') return 'Paths begin with `/`.';
  if (unknownKey(error) === '$ref') return 'A reference is not allowed here: write the object itself.';
  return 'Remove it or correct its spelling; names of extensions begin with `x-`.';
}

/**
 * The location of the node at the error's path, or of the last one that exists, and of the key that the error names.
 */
function locate(root: Node, error: ErrorObject, map: SourceMap): Finding['location'] {
  let node: Node = root;
  for (const token of pointerTokens(error.instancePath)) {
    const next = node[token];
    if (typeof next !== 'object' || next === null) return map.locate(node, token);
    node = next as Node;
  }
  return map.locate(node, isNode(node) ? unknownKey(error) : undefined);
}
