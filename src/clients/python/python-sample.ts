import { treesOf } from '../../compiler/emit/clients/resource-tree.ts';
import type { SampleParameter, SampleRequest } from '../../compiler/emit/sample-requests.ts';
import type { ValueSchema } from '../../compiler/json-schema/value-schema.ts';
import type { ContractModel, OperationModel } from '../../compiler/model/model.ts';
import { lookUp } from '../../descriptor/look-up.ts';
import { operationWithId } from '../../descriptor/rest.ts';
import { pathParameters } from '../../descriptor/sent-path.ts';
import { clientNameOf } from '../common/names.ts';
import { invocation, PythonArguments } from './python-arguments.ts';
import { pythonIdentifier } from './python-identifiers.ts';
import { pythonNames } from './python-names.ts';
import { callsOf, type PythonCall, pythonMembers } from './python-resources.ts';

/**
 * Programs that call the operations of a contract by its client; undefined for a request whose types it cannot spell. `base`: the
 * URL of the API; `packageName`: what the client is called where somebody has chosen it. The token is in the environment.
 */
export function pythonSamples(
  model: ContractModel,
  base: string,
  packageName?: string,
): (request: SampleRequest) => string | undefined {
  const { components = {} } = model.document;
  const ids = model.operations.map(({ operationId }) => operationId);
  const calls = callsOf(pythonMembers(treesOf(model), ids, Object.keys(components.schemas ?? {})));
  const { module } = pythonNames({ name: clientNameOf(model), packageName });
  return (request) => {
    const call = lookUp(calls, request.operationId);
    const values = new PythonArguments(model.document);
    const operation = operationWithId(model.operations, request.operationId);
    const given = argumentsOf(operation, request, values, call);
    if (given === undefined) return undefined;
    return `${importsOf(values, request, module)}

client = connect(${JSON.stringify(base)}${request.needsToken ? ', lambda: os.environ["TOKEN"]' : ''})
${statement(call, given)}
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
      return text && `${pythonIdentifier(parameter.name)}=${text}`;
    });
  const [media] = Object.values(body?.content ?? {});
  const sent = request.body ? [values.of((media?.schema ?? {}) as ValueSchema, request.body.value)] : [];
  const all = [...inPath, ...sent, ...keyword];
  return all.every((text) => text !== undefined) ? all : undefined;
}

function importsOf({ imports, models }: PythonArguments, { needsToken }: SampleRequest, module: string): string {
  const standard = [...imports, ...(needsToken ? ['import os'] : [])].sort();
  const own = [
    `from ${module}.connection import connect`,
    ...(models.size > 0 ? [`from ${module}.models import ${[...models].sort().join(', ')}`] : []),
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
