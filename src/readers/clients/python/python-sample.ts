import { treesOf } from '../../../compiler/emit/clients/index.ts';
import type { SampleParameter, SampleRequest } from '../../../compiler/emit/index.ts';
import { errorClassOf } from '../../../compiler/emit/sdk/index.ts';
import type { ValueSchema } from '../../../compiler/json-schema/index.ts';
import { type ContractModel, type OperationModel, snakeCase } from '../../../compiler/model/index.ts';
import { lookUp } from '../../../descriptor/look-up.ts';
import { operationWithId } from '../../../descriptor/rest.ts';
import { pathParameters } from '../../../descriptor/sent-path.ts';
import { clientNameOf } from '../common/names.ts';
import { MISSED, OVERTAKEN, type SampleEvents, type SampleUse } from '../common/sample-use.ts';
import { invocation, PythonArguments } from './python-arguments.ts';
import { argumentName } from './python-document.ts';
import { pythonIdentifier } from './python-identifiers.ts';
import { pythonNames } from './python-names.ts';
import { callsOf, type PythonCall, pythonMembers } from './python-resources.ts';

/**
 * Programs that call the operations of a contract by its client; undefined for a request whose types it cannot spell. `base`: the
 * URL of the API. The token is in the environment.
 */
export function pythonSamples(
  model: ContractModel,
  base: string,
): (request: SampleRequest, use?: SampleUse) => string | undefined {
  const { components = {} } = model.document;
  const ids = model.operations.map(({ operationId }) => operationId);
  const calls = callsOf(pythonMembers(treesOf(model), ids, Object.keys(components.schemas ?? {})));
  const { module } = pythonNames({ name: clientNameOf(model), packageName: undefined });
  return (request, use) => {
    const call = lookUp(calls, request.operationId);
    const values = new PythonArguments(model.document);
    const operation = operationWithId(model.operations, request.operationId);
    const given = argumentsOf(operation, request, values, call);
    if (given === undefined) return undefined;
    const { text, problem } = use ? usedBy(use, call, request, given) : { text: statement(call, given) };
    return `${importsOf(values, request, module, problem)}

client = connect(${JSON.stringify(base)}${request.needsToken ? ', lambda: os.environ["TOKEN"]' : ''})
${text}
`;
  };
}

/** The arguments of a call, in their order: ids, the body, what else is required. */
function argumentsOf(
  { parameters, body }: OperationModel,
  request: SampleRequest,
  values: PythonArguments,
  { action }: PythonCall,
): readonly string[] | undefined {
  const written = ({ name, given }: SampleParameter): string | undefined => {
    const schema = parameters.find((one) => one.name === name)?.schema;
    return schema === undefined ? undefined : values.of(schema as ValueSchema, given);
  };
  const inPath = pathParameters(request.path).map((name) => {
    const parameter = request.inPath.find((one) => one.name === name);
    return parameter && written(parameter);
  });
  const keyword = [...request.inQuery, ...request.inHeader]
    .filter(({ isRequired }) => isRequired)
    .map((parameter) => {
      if (action !== undefined && parameter.name.toLowerCase() === 'if-match') return 'if_version=1';
      const text = written(parameter);
      return text && `${pythonIdentifier(argumentName(parameter.name))}=${text}`;
    });
  const [media] = Object.values(body?.content ?? {});
  const sent = request.body ? [values.of((media?.schema ?? {}) as ValueSchema, request.body.value)] : [];
  const all = [...inPath, ...sent, ...keyword];
  return all.every((text) => text !== undefined) ? all : undefined;
}

function importsOf(
  { imports, models }: PythonArguments,
  { needsToken }: SampleRequest,
  module: string,
  problem: string | undefined,
): string {
  const standard = [...imports, ...(needsToken ? ['import os'] : [])].sort();
  const own = [
    `from ${module}.connection import connect`,
    ...(models.size > 0 ? [`from ${module}.models import ${[...models].sort().join(', ')}`] : []),
    ...(problem ? [`from ${module}.problems import ${problem}`] : []),
  ];
  const head = [...standard.filter(isPlain), ...standard.filter((line) => !isPlain(line))];
  return [...head, ...(head.length > 0 ? [''] : []), ...own].join('\n');
}

const isPlain = (line: string): boolean => line.startsWith('import ');

function statement({ expression, action }: PythonCall, given: readonly string[]): string {
  const call = invocation(expression, given);
  if (action === 'list') return `for item in ${call}:\n    print(item)`;
  return action === 'delete' ? call : `answer = ${call}\nprint(answer)`;
}

interface Used {
  readonly text: string;
  /** The exception that it catches. */
  readonly problem?: string;
}

function usedBy(use: SampleUse, { expression }: PythonCall, request: SampleRequest, given: readonly string[]): Used {
  const resource = expression.replace(/\.\w+$/, '');
  const path = given.slice(0, request.inPath.length);
  const others = given.slice(request.inPath.length);
  const call = invocation(expression, given);
  switch (use) {
    case 'pages':
      return {
        text: `rows = ${call}
first = rows.page()
if first.page.next_cursor:
    print(rows.page(first.page.next_cursor))`,
      };
    case 'change':
      return { text: invocation(`${resource}.change`, [...path, `lambda current: ${others[0]}`]) };
    case 'unchanged': {
      const versioned = others.map((one) => one.replace('if_version=1', 'if_version=read.version'));
      const isById = versioned.join() !== others.join();
      const update = invocation(expression, [...(isById ? path : [...path.slice(0, -1), 'read']), ...versioned]);
      const { text, ...own } = caught(update, 'PRECONDITION_FAILED', `print("${OVERTAKEN}")`);
      return { text: `read = ${invocation(`${resource}.get`, path)}\n${text}`, ...own };
    }
    case 'refused':
      return caught(call, '', 'print(error.code, error.detail, error.errors, error.request_id)');
    case 'waits':
      return caught(`for item in ${call}:\n    print(item)`, 'TOO_MANY_REQUESTS', 'print(error.retry_after)');
  }
}

/** Statements that may be refused for a reason; an empty code: for any. */
function caught(statements: string, code: string, otherwise: string): Used {
  const problem = code === '' ? 'ApiError' : errorClassOf(code);
  const bound = otherwise.includes('error.') ? `${problem} as error` : problem;
  return { text: `try:\n    ${statements.replaceAll('\n', '\n    ')}\nexcept ${bound}:\n    ${otherwise}`, problem };
}

/** A program that follows a subscription. */
export function pythonEvents(model: ContractModel, base: string): (events: SampleEvents) => string | undefined {
  const { module } = pythonNames({ name: clientNameOf(model), packageName: undefined });
  return ({ name, args }) => {
    // What must be given comes first.
    const given = args.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired)).map(({ text }) => text);
    const sent = given.filter((text) => text !== undefined);
    if (given.slice(0, sent.length).includes(undefined)) return undefined;
    const call = [...sent.map((text) => JSON.stringify(text)), `on_missed=lambda: print("${MISSED}")`].join(', ');
    return `import asyncio
import os

from ${module}.graphql import Client


async def main() -> None:
    async with Client(${JSON.stringify(base)}, lambda: os.environ["TOKEN"]) as client:
        async for event in client.${snakeCase(name)}(${call}):
            print(event)


asyncio.run(main())
`;
  };
}
