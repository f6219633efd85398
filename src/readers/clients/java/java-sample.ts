import { resourcesIn, treesOf } from '../../../compiler/emit/clients/index.ts';
import type { SampleParameter, SampleRequest } from '../../../compiler/emit/index.ts';
import type { ValueSchema } from '../../../compiler/json-schema/index.ts';
import { type ContractModel, camelCase, lowerFirst, type OperationModel } from '../../../compiler/model/index.ts';
import { lookUp } from '../../../descriptor/look-up.ts';
import { pathParameters } from '../../../descriptor/sent-path.ts';
import { clientNameOf, oneWord, pascalCode } from '../common/names.ts';
import { MISSED, OVERTAKEN, type SampleEvents, type SampleUse } from '../common/sample-use.ts';
import { javaCallNames } from './java-call-names.ts';
import { JavaLiterals } from './java-literal.ts';

/** The package of a client for which nobody has chosen another: `com.example.lockstepstorefront`. */
export const javaPackageOf = (name: string): string => `com.example.${oneWord(name)}`;

/** Makes programs that use the Java client; of a request that does not say what the client calls its parts, undefined. */
export function javaSamples(
  model: ContractModel,
  base: string,
): (request: SampleRequest, use?: SampleUse) => string | undefined {
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
  return (request, use) => {
    const operation = lookUp(operations, request.operationId);
    const literals = new JavaLiterals(model.document, root);
    const given = argumentsOf(operation, request, literals);
    const body = bodyOf(operation, request, literals);
    if (given === undefined || body === undefined) return undefined;
    const name = actions.get(request.operationId) ?? lookUp(names.operations, request.operationId);
    const call = { name: `client.${name}`, ...given, body: request.body ? ['body'] : [] };
    const text = use ? usedBy(use, call) : statementOf(operation, invocation(call));
    if (text === undefined) return undefined;
    const token = request.needsToken ? ', () -> System.getenv("TOKEN")' : '';
    const caught = ['Problems', 'ProblemException'].filter((one) => text.includes(`catch (${one}`));
    const imports = [...literals.imports, `${root}.Client`, ...caught.map((one) => `${root}.${one}`)];
    return program(imports, `var client = new Client(${JSON.stringify(base)}${token});\n${body}${text}`);
  };
}

/** A program of statements that begin where they stand. */
const program = (imports: readonly string[], statements: string): string =>
  `${imports
    .toSorted()
    .map((full) => `import ${full};\n`)
    .join('')}
class Example {
    public static void main(String[] arguments) throws Exception {
${statements.replaceAll(/^(?=.)/gm, INDENT + INDENT)}
    }
}
`;

const INDENT = '    ';

/** A call, with what it is given in this order. */
interface Call {
  readonly name: string;
  readonly path: readonly string[];
  /** What else the operation requires. */
  readonly required: readonly string[];
  readonly body: readonly string[];
  readonly key: readonly string[];
  /** What narrows and orders a list. */
  readonly query: readonly string[];
}

function invocation({ name, path, required, body, key, query }: Call): string {
  const chosen = query.length > 0 ? [`query -> query${query.join('')}`] : [];
  return `${name}(${[...path, ...required, ...body, ...key, ...chosen].join(', ')})`;
}

/** What a call is given beside its body. */
function argumentsOf(
  { path, parameters }: OperationModel,
  { inPath, inQuery, inHeader }: SampleRequest,
  literals: JavaLiterals,
): Pick<Call, 'path' | 'required' | 'key' | 'query'> | undefined {
  const declared = (given: SampleParameter | undefined) => parameters.find(({ name }) => name === given?.name);
  const written = (given: SampleParameter | undefined): string | undefined => {
    const schema = declared(given)?.schema;
    return schema ? literals.of(schema as ValueSchema, given?.given) : undefined;
  };
  const ofPath = pathParameters(path).map((name) => written(inPath.find((parameter) => parameter.name === name)));
  const shown = [...inQuery, ...inHeader].filter(({ isRequired }) => isRequired);
  const required = shown.filter((one) => declared(one)?.required).map(written);
  const others = shown.filter((one) => !declared(one)?.required);
  const key = others.filter((one) => declared(one)?.in === 'header').map(written);
  const query = others
    .filter((one) => declared(one)?.in !== 'header')
    .map((one) => {
      const text = written(one);
      return text && `.${camelCase(one.name)}(${text})`;
    });
  const isCookieAsked = parameters.some(({ in: place, required: isAsked }) => place === 'cookie' && isAsked);
  const known = (texts: readonly (string | undefined)[]): readonly string[] => texts.flatMap((text) => text ?? []);
  if (isCookieAsked || [...ofPath, ...required, ...key, ...query].includes(undefined)) return undefined;
  return { path: known(ofPath), required: known(required), key: known(key), query: known(query) };
}

/** The statement that makes the body, if there is one. */
function bodyOf({ body }: OperationModel, request: SampleRequest, literals: JavaLiterals): string | undefined {
  if (!request.body) return '';
  const { type, value } = request.body;
  const schema = body?.content?.[type]?.schema;
  const made = /[/+]json\b/.test(type) && schema ? literals.of(schema as ValueSchema, value) : undefined;
  return made && `var body = ${made};\n`;
}

function statementOf({ default: own, responses }: OperationModel, call: string): string {
  if (own?.action === 'list') return `for (var item : ${call}) System.out.println(item);`;
  const results = [...responses].filter(([status]) => status.startsWith('2'));
  const isAnswered = results.some(([, { content = {} }]) => Object.keys(content).length > 0);
  return isAnswered ? `System.out.println(${call});` : `${call};`;
}

/** What a program does with a call; undefined where the client takes another one for it. */
function usedBy(use: SampleUse, call: Call): string | undefined {
  const { name, path, required, body } = call;
  const resource = name.replace(/\.\w+$/, '');
  const ids = path.join(', ');
  switch (use) {
    case 'pages':
      return `var list = ${invocation(call)};
var first = list.page();
var next = first.getPage().getNextCursor();
if (next != null) System.out.println(list.page(next));`;
    case 'change':
      return `System.out.println(${resource}.change(${ids}, current -> body));`;
    case 'unchanged': {
      // Of what is below something else, the ids are not all in what was read.
      const given = path.length === 1 ? ['read', ...body] : [...path, ...body, 'read.getVersion()'];
      const update = caught(`${name}(${given.join(', ')});`, 'PRECONDITION_FAILED', `"${OVERTAKEN}"`);
      return required.length === 0 ? `var read = ${resource}.get(${ids});\n${update}` : undefined;
    }
    case 'refused':
      return caught(`${invocation(call)};`, '', 'refused.code() + " " + refused.errors() + " " + refused.requestId()');
    case 'waits':
      return caught(
        `for (var item : ${invocation(call)}) System.out.println(item);`,
        'TOO_MANY_REQUESTS',
        'refused.retryAfter()',
      );
  }
}

/** A statement that may be refused for a reason; an empty code: for any. */
const caught = (statement: string, code: string, printed: string): string => `try {
${INDENT}${statement}
} catch (${code === '' ? 'ProblemException' : `Problems.${pascalCode(code)}`} refused) {
${INDENT}System.out.println(${printed});
}`;

/** Makes programs that follow a subscription. */
export function javaEvents(model: ContractModel, base: string): (events: SampleEvents) => string {
  const root = javaPackageOf(clientNameOf(model));
  return ({ name, args }) => {
    const given = args.map(({ text }) => (text === undefined ? 'null' : JSON.stringify(text)));
    const missed = `() -> System.out.println("${MISSED}")`;
    const events = `graphql.${lowerFirst(name)}(${given.join(', ')}).onMissed(${missed})`;
    return program(
      [`${root}.Graphql`],
      `var graphql = new Graphql(${JSON.stringify(base)}, () -> System.getenv("TOKEN"));
try (var events = ${events}) {
${INDENT}for (var event : events) System.out.println(event);
}`,
    );
  };
}
