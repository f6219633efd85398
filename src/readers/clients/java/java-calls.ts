import { lowerFirst } from '../../../compiler/model/index.ts';
import { type GeneratedOperation, type GeneratedParameter, PLACES } from './generated-names.ts';
import { type JavaClasses, method } from './java-class.ts';

export const isHeader = ({ place, name }: GeneratedParameter, header: string): boolean =>
  place === 'header' && name.toLowerCase() === header;

/** The field that holds the API of an operation. */
export const apiField = (api: string): string => lowerFirst(api);

/** The fields of the APIs that operations are called by, and the statements that set them. */
export function apiFields(operations: readonly GeneratedOperation[]): readonly { field: string; statement: string }[] {
  const apis = [...new Set(operations.map(({ api }) => api))].sort();
  return apis.map((api) => ({
    field: `  private final ${api} ${apiField(api)};\n`,
    statement: `    ${apiField(api)} = new ${api}(connection);\n`,
  }));
}

/** The parameters that a call is given one by one: those of the path in its order, what else is required, the body. */
export function givenParameters({ parameters }: GeneratedOperation, path: string): readonly GeneratedParameter[] {
  const at = ({ place, name }: GeneratedParameter): number => {
    return place === 'path' ? path.indexOf(`{${name}}`) - path.length : PLACES.indexOf(place);
  };
  const given = parameters.filter(({ place, isRequired }) => isRequired || place === 'body');
  return given.sort((one, other) => at(one) - at(other));
}

/** `UUID orderId`. */
export const declared = (parameters: readonly GeneratedParameter[], classes: JavaClasses): readonly string[] =>
  parameters.map((one) => `${classes.type(one.type)} ${argumentOf(one)}`);

/** Names that methods use beside those of their parameters. */
const LOCAL = ['cursor', 'current', 'ifVersion', 'options', 'page', 'patch', 'patchOf', 'query', 'read', 'request'];

/** `orderId`. */
export const argumentOf = ({ javaName }: GeneratedParameter): string =>
  LOCAL.includes(javaName) ? `${javaName}Value` : javaName;

/** A builder of an operation's request. */
export const newBuilder = ({ api, request }: GeneratedOperation): string => `${api}.${request}.newBuilder()`;

export const builderOf = ({ api, request }: GeneratedOperation): string => `${api}.${request}.Builder`;

/** The statement that calls an operation; `set`: what is set besides the parameters given, by their names in Java. */
export function callOf(
  operation: GeneratedOperation,
  given: readonly GeneratedParameter[],
  set: Readonly<Record<string, string>> = {},
): string {
  const { api, answer, parameters } = operation;
  const values = [...given.map((one) => [one.javaName, argumentOf(one)]), ...Object.entries(set)];
  const setters = values.map(([name, value]) => `\n            .${name}(${value})`).join('');
  const request = parameters.length > 0 ? `\n        ${newBuilder(operation)}${setters}\n            .build()` : '';
  return `${answer === '' ? '' : 'return '}${apiField(api)}.${operation.method}(${request});`;
}

/** A method with the parameters of an operation that are required, and one that may set the others as well. */
export function plainMethods(name: string, operation: GeneratedOperation, path: string, classes: JavaClasses): string {
  const given = givenParameters(operation, path);
  const answer = classes.type(operation.answer) || 'void';
  const own = method(operation, `${answer} ${name}(${declared(given, classes).join(', ')})`, callOf(operation, given));
  if (operation.parameters.length === given.length) return own;
  const options = [...declared(given, classes), `Consumer<${builderOf(operation)}> options`];
  const setters = given.map((one) => `.${one.javaName}(${argumentOf(one)})`);
  return `${own}${method(
    operation,
    `${answer} ${name}(${options.join(', ')})`,
    `${builderOf(operation)} request = ${newBuilder(operation)};
    options.accept(request);
    ${answer === 'void' ? '' : 'return '}${apiField(operation.api)}.${operation.method}(request${setters.join('')}.build());`,
    'The same, with what {@code options} sets besides.',
  )}`;
}
