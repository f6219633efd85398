import { flat, type ValueSchema } from '../../../compiler/json-schema/index.ts';
import type { ContractModel, OperationModel } from '../../../compiler/model/index.ts';
import { PROBLEM_TYPE } from '../../../compiler/read/complete/index.ts';
import { type Operation, type Parameter, type Response, type Schema, tagOf } from '../../../descriptor/document.ts';
import { lookUp } from '../../../descriptor/look-up.ts';
import { BODY_INPUT } from '../../../descriptor/operation-inputs.ts';
import { MCP_PATH } from '../../../descriptor/tools.ts';
import { consolePath } from '../console/console-path.ts';
import { link } from '../layout/links.ts';
import { block, code, firstSentence, inline, json, lines, plain, table, withoutMarkup } from '../layout/markdown.ts';
import type { Page } from '../layout/page.ts';
import { successOf } from '../samples/sample-answers.ts';
import { sampleBlocks } from '../samples/samples.ts';
import { needed } from './access-words.ts';
import { headersOf } from './answer-headers.ts';
import { fieldText } from './field-text.ts';
import { aboutTag } from './index-pages.ts';
import { errorsOf, preconditionOfRead } from './operation-errors.ts';
import type { Reference } from './reference.ts';

type Words = Operation & {
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
};

/** An operation of both protocols: how to call it, what it takes and answers, and what may go wrong. */
export function operationPage(reference: Reference, operation: OperationModel): Page {
  const { operationId, method, path, node } = operation;
  const { description = '' } = node as Words;
  const summary = titleOf(operation);
  const fields = reference.fieldsOf(operationId);
  return {
    path: reference.places.operation(operationId),
    title: summary,
    description: withoutMarkup(firstSentence(description)) || `${method.toUpperCase()} ${path}.`,
    kind: 'operation',
    words: [operationId, `${method.toUpperCase()} ${path}`, ...fields.map(({ field }) => field.name)],
    group: reference.groupOf(operation),
    text: () => textOf(reference, operation),
  };
}

const titleOf = ({ node, operationId }: OperationModel): string =>
  ((node as Words).summary ?? '').replace(/\s+/g, ' ').trim() || operationId;

function textOf(reference: Reference, operation: OperationModel): string {
  const { operationId, method, path, access } = operation;
  const { description, deprecated } = operation.node as Words;
  const resource = reference.resourceOf(operation);
  const tag = tagOf(operation.node);
  const about = aboutTag(reference, tag);
  const fields = reference.fieldsOf(operationId);
  const overGraphql = [
    ...fields.map(({ kind, field }) => `${kind} [${code(field.name)}](#graphql)`),
    ...reference.connectionsOf(operationId).map(code),
  ].join(', ');
  return lines(
    `# ${plain(titleOf(operation))}`,
    `${code(`${method.toUpperCase()} ${path}`)}${overGraphql && `, over GraphQL ${overGraphql}`}. Its id is ${code(operationId)}.`,
    deprecated && '**Deprecated.**',
    description,
    about && `${plain(tag)}: ${about}`,
    `Who may call it: ${needed(access)}${resource ? `, by the rules of ${link(code(resource.name), reference.places.resource(resource.name))}` : ''}. ${link('Try it', consolePath(operation))}.`,
    '## Example',
    subjectOf(reference, operation),
    sampleBlocks(reference.samples(operationId)),
    answerOf(reference, operation),
    parametersOf(reference, operation),
    bodyOf(reference, operation),
    '## Answers',
    table(['Status', 'Meaning', 'Body'], answers(reference, operation)),
    problemsOf(reference, operation),
    unnamedAnswer(reference, operation),
    headersOf(reference, operation),
    '## Errors',
    errorsOf(reference, operation),
    ...(fields.length > 0 ? ['## GraphQL', ...fields.map((root) => fieldText(reference, root))] : []),
    ...toolText(reference, operation),
  );
}

/** How agents call it. */
function toolText(
  { model, requests }: Reference,
  { operationId, default: standard }: OperationModel,
): readonly string[] {
  const tool = model.tools?.tools.find((one) => one.operationId === operationId);
  if (!tool) return [];
  const { inPath, inQuery, inHeader, body } = lookUp(requests, operationId);
  const fields = standard ? [] : inHeader.map((field) => ({ ...field, name: field.name.toLowerCase() }));
  const args = {
    ...Object.fromEntries(
      [...inPath, ...inQuery, ...fields].filter((one) => one.isRequired).map(({ name, given }) => [name, given]),
    ),
    ...(body && { [BODY_INPUT]: body.value }),
  };
  const names = Object.keys(tool.inputSchema['properties'] as object).map(code);
  return [
    '## Tool',
    `Agents call ${code(tool.name)} over the Model Context Protocol, at ${code(`POST ${MCP_PATH}`)}${names.length > 0 ? `, with the arguments ${names.join(', ')}` : ''}. Its answer is that of REST, as text.`,
    block('json', JSON.stringify({ name: tool.name, arguments: args }, undefined, 2), 'Parameters of `tools/call`'),
  ];
}

/** Whose token it must be, where a row is the caller. */
function subjectOf(reference: Reference, operation: OperationModel): string {
  const { subject } = lookUp(reference.requests, operation.operationId);
  const { name = '' } = reference.resourceOf(operation) ?? {};
  return subject === undefined
    ? ''
    : `The ${code('sub')} of the token is ${code(String(subject))}: the ${code(name)} is the caller, and has its id.`;
}

/** The body of the first answer of success. */
function answerOf({ answers }: Reference, operation: OperationModel): string {
  const [status] = successOf(operation) ?? [];
  const value = answers.of(operation.operationId);
  return status === undefined || value === undefined ? '' : lines(`Answers ${code(status)}:`, json(value));
}

function parametersOf(reference: Reference, { parameters }: OperationModel): string {
  if (parameters.length === 0) return '';
  const rows = parameters.flatMap((parameter) => rowsOf(reference, parameter));
  return lines('## Parameters', table(['Parameter', 'In', 'Type', 'Rules', 'Meaning'], rows));
}

/** A parameter of style `deepObject` is one for each of its members: `price[gte]`. */
function rowsOf({ words, model }: Reference, parameter: Parameter): string[][] {
  const { name, required, description = '' } = parameter as Parameter & { readonly description?: string };
  const schema = schemaOf(parameter);
  const row = (own: string, type: Schema | undefined, isRequired: boolean, about: string): string[] => [
    code(own),
    parameter.in,
    parameter.content ? `${words.type(type)} as JSON` : words.type(type),
    [...(isRequired ? ['required'] : []), ...words.bounds(type)].join('; '),
    inline(about + (parameter.in === 'header' && /^if-match$/i.test(name) ? TAGS : '')),
  ];
  if (parameter.style !== 'deepObject') return [row(name, schema, required === true, description)];
  const { properties = {}, required: needed = [] } = flat(model.document, schema as ValueSchema);
  return Object.entries(properties).map(([member, of]) => {
    const about = [OPERATORS[member] ?? [], description].flat().join(' ');
    return row(`${name}[${member}]`, of as Schema, required === true && needed.includes(member), about);
  });
}

const TAGS = ' With the quotes, as `ETag` gave it; a weak tag (`W/…`) never matches.';

/** What the operators of filters mean. */
const OPERATORS: Readonly<Record<string, string>> = {
  eq: 'Equal to this.',
  in: 'One of these.',
  gt: 'Greater than this.',
  gte: 'Greater than or equal to this.',
  lt: 'Less than this.',
  lte: 'Less than or equal to this.',
  contains: 'Has this in it.',
};

const schemaOf = ({ schema, content }: Parameter): Schema | undefined =>
  schema ?? Object.values(content ?? {})[0]?.schema;

function bodyOf({ words }: Reference, { body }: OperationModel): string {
  const bodies = Object.entries(body?.content ?? {}).flatMap(([type, { schema }]) =>
    schema === undefined ? [] : [{ type, schema }],
  );
  if (bodies.length === 0) return '';
  const types = bodies.map(({ type, schema }) => `${code(type)}: ${words.type(schema)}`);
  return lines('## Body', `${types.join(' or ')}.`, ...[...new Set(bodies.map(({ schema }) => words.whole(schema)))]);
}

/** A problem of which the contract says no more than the catalogue does of its codes, which are listed as errors. */
function isPlainProblem({ errors }: ContractModel, { description = '', content = {}, ...rest }: Response): boolean {
  const codes = rest['x-error-codes'] ?? [];
  const { [PROBLEM_TYPE]: problem, ...others } = content;
  const isNamed = typeof problem?.schema === 'object' && '$ref' in problem.schema;
  if (!isNamed || codes.length === 0 || Object.keys(others).length > 0) return false;
  return description === codes.map((code) => errors[code]?.description).join(' ');
}

function problemsOf({ model, words }: Reference, { responses }: OperationModel): string {
  const first = [...responses.values()].find((one) => isPlainProblem(model, one));
  const type = words.type(first?.content?.[PROBLEM_TYPE]?.schema);
  return first ? `Any other answer is ${type} (${code(PROBLEM_TYPE)}), with one of the codes below.` : '';
}

const answers = ({ model, words }: Reference, operation: OperationModel): string[][] =>
  [...operation.responses].flatMap(([status, response]) => {
    if (isPlainProblem(model, response)) return [];
    const { description = '', content = {}, 'x-error-codes': codes = [] } = response;
    const bodies = Object.entries(content).map(([type, { schema }]) => `${words.type(schema)} (${code(type)})`);
    const meaning = preconditionOfRead(operation, codes) ?? inline(description);
    return [[code(status), meaning, [...new Set(bodies)].join(' or ') || 'none']];
  });

/** What an answer of success has, where its schema has no name. */
function unnamedAnswer({ words }: Reference, operation: OperationModel): string {
  const schema = successOf(operation)?.[1].content?.['application/json']?.schema;
  const isNamed = typeof schema !== 'object' || '$ref' in schema;
  return isNamed ? '' : words.whole('items' in schema ? (schema['items'] as Schema) : schema);
}
