import { Validator } from '@seriousme/openapi-schema-validator';
import type { ErrorObject } from 'ajv';
import { pointerTokens } from '../../descriptor/json-pointer.ts';
import type { Finding } from '../findings/finding.ts';
import { childrenOf, isNode, type Kind, type Node } from './grammar.ts';
import { schemaValidator } from './schema-dialect.ts';
import type { SourceMap } from './source-map.ts';

/** Say only that one of several branches failed; the branches say what is wrong. */
const SUMMARIES = new Set(['oneOf', 'anyOf', 'allOf', 'if', 'not']);

/**
 * What of the document is not OpenAPI 3.1 (https://spec.openapis.org/oas/3.1/schema), and what of its schemas is not
 * JSON Schema. Whether references lead somewhere is not asked here.
 */
export async function checkStructure(document: Node, map: SourceMap): Promise<Finding[]> {
  const { errors } = await new Validator({ allErrors: true }).validate(document);
  const faults = Array.isArray(errors) ? errors : [];
  return [...findings('OpenAPI', document, faults, map), ...schemaFindings(document, map)];
}

/** The schema of OpenAPI itself leaves the insides of schemas to their dialect. */
function schemaFindings(document: Node, map: SourceMap): Finding[] {
  const validate = schemaValidator();
  return [...outermostSchemas(document, 'document', new Set())].flatMap((schema) => {
    validate(schema);
    return findings('a schema of OpenAPI', schema, validate.errors ?? [], map);
  });
}

function* outermostSchemas(node: Node, kind: Kind, visited: Set<Node>): Generator<Node> {
  if (visited.has(node)) return;
  visited.add(node);
  if (kind === 'schema') yield node;
  else
    for (const { child, kind: childKind } of childrenOf(node, kind)) yield* outermostSchemas(child, childKind, visited);
}

/** One finding a place; `root` is what the paths of the errors begin at. */
function findings(language: string, root: Node, errors: readonly ErrorObject[], map: SourceMap): Finding[] {
  const faults = new Map<string, Finding>();
  for (const error of errors) {
    if (SUMMARIES.has(error.keyword)) continue;
    const location = locate(root, error, map);
    const place = `${location.file} ${location.pointer} ${error.params['missingProperty'] ?? ''}`;
    if (faults.has(place)) continue;
    const hint = hintFor(error);
    faults.set(place, {
      rule: 'openapi-structure',
      severity: 'error',
      message: `This is not ${language}: ${explain(error)}.`,
      ...(hint !== undefined && { hint }),
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
      return `${what} lacks \`${error.params['missingProperty']}\``;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `${what} may not hold \`${unknownKey(error)}\``;
    case 'enum':
      return `${what} must be one of ${error.params['allowedValues'].join(', ')}`;
    case 'type':
      return `${what} must be ${[error.params['type']].flat().map(withArticle).join(' or ')}`;
    default:
      return `${what} ${error.message ?? 'is not as it should be'}`;
  }
}

const withArticle = (type: string): string =>
  /^[aeio]/.test(type) ? `an ${type}` : type === 'null' ? type : `a ${type}`;

function hintFor(error: ErrorObject): string | undefined {
  const { keyword, params, instancePath } = error;
  if (keyword === 'required') return `Add \`${params['missingProperty']}\`.`;
  if (keyword !== 'unevaluatedProperties' && keyword !== 'additionalProperties') return undefined;
  if (instancePath === '/paths') return 'A path begins with `/`.';
  if (unknownKey(error) === '$ref') return 'No reference may stand here: describe the object itself.';
  return 'Remove it or correct its spelling; a name of your own begins with `x-`.';
}

/** The node that the error's path leads to, or the last one on the way, and a key of it where the error names one. */
function locate(root: Node, error: ErrorObject, map: SourceMap): Finding['location'] {
  let node: Node = root;
  for (const token of pointerTokens(error.instancePath)) {
    const next = node[token];
    if (typeof next !== 'object' || next === null) return map.locate(node, token);
    node = next as Node;
  }
  return map.locate(node, isNode(node) ? unknownKey(error) : undefined);
}
