import { resourcesIn, treesOf } from '../../compiler/emit/clients/resource-tree.ts';
import type { SampleRequest } from '../../compiler/emit/sample-requests.ts';
import type { ValueSchema } from '../../compiler/json-schema/value-schema.ts';
import type { ContractModel, OperationModel } from '../../compiler/model/model.ts';
import { lookUp } from '../../descriptor/look-up.ts';
import { pathParameters } from '../../descriptor/sent-path.ts';
import { clientNameOf, oneWord } from '../common/names.ts';
import { javaCallNames } from './java-call-names.ts';
import { JavaLiterals } from './java-literal.ts';

/** The package of a client for which nobody has chosen another: `com.example.lockstepstorefront`. */
export const javaPackageOf = (name: string): string => `com.example.${oneWord(name)}`;

/** Makes programs that use the Java client; of a request that does not say what the client calls its parts, undefined. */
export function javaSamples(model: ContractModel, base: string): (request: SampleRequest) => string | undefined {
  const root = javaPackageOf(clientNameOf(model));
  const trees = treesOf(model);
  const names = javaCallNames(
    trees,
    model.operations.map(({ operationId }) => operationId),
  );
  const actions = new Map(
    trees.flatMap(resourcesIn).flatMap(({ key, actions: own }) => {
      const expression = lookUp(names.resources, key);
      return Object.entries(own).map(([action, { operationId }]) => [operationId, `${expression}.${action}`] as const);
    }),
  );
  const operations = new Map(model.operations.map((operation) => [operation.operationId, operation]));
  return (request) => {
    const operation = lookUp(operations, request.operationId);
    const literals = new JavaLiterals(model.document, root);
    const given = argumentsOf(operation, request, literals);
    const body = bodyOf(operation, request, literals);
    if (given === undefined || body === undefined) return undefined;
    const args = [...given, ...(request.body ? ['body'] : [])].join(', ');
    const name = actions.get(request.operationId) ?? lookUp(names.operations, request.operationId);
    const token = request.needsToken ? ', () -> System.getenv("TOKEN")' : '';
    const imports = [...literals.imports, `${root}.Client`].sort();
    return `${imports.map((full) => `import ${full};\n`).join('')}
class Example {
    public static void main(String[] arguments) throws Exception {
        var client = new Client(${JSON.stringify(base)}${token});
${body}        ${statementOf(operation, `client.${name}(${args})`)}
    }
}
`;
  };
}

/** What a call is given before its body: the parameters of the path in its order, and what else is required. */
function argumentsOf(
  { path, parameters }: OperationModel,
  { inPath, inQuery, inHeader }: SampleRequest,
  literals: JavaLiterals,
): readonly string[] | undefined {
  const ofPath = pathParameters(path).map((name) => inPath.find((parameter) => parameter.name === name));
  const others = [...inQuery, ...inHeader].filter(({ isRequired }) => isRequired);
  const isCookieAsked = parameters.some(({ in: place, required }) => place === 'cookie' && required);
  const made = [...ofPath, ...others].map((given) => {
    const schema = parameters.find(({ name }) => name === given?.name)?.schema;
    return schema ? literals.of(schema as ValueSchema, given?.given) : undefined;
  });
  const known = made.flatMap((text) => text ?? []);
  return isCookieAsked || known.length < made.length ? undefined : known;
}

/** The statement that makes the body, if there is one. */
function bodyOf({ body }: OperationModel, request: SampleRequest, literals: JavaLiterals): string | undefined {
  if (!request.body) return '';
  const { type, value } = request.body;
  const schema = body?.content?.[type]?.schema;
  const indent = '        ';
  const made = /[/+]json\b/.test(type) && schema ? literals.of(schema as ValueSchema, value, indent) : undefined;
  return made && `${indent}var body = ${made};\n`;
}

function statementOf({ default: own, responses }: OperationModel, call: string): string {
  if (own?.action === 'list') return `for (var item : ${call}) System.out.println(item);`;
  const results = [...responses].filter(([status]) => status.startsWith('2'));
  const isAnswered = results.some(([, { content = {} }]) => Object.keys(content).length > 0);
  return isAnswered ? `System.out.println(${call});` : `${call};`;
}
