import { actionOf, throughResources } from '../../../compiler/emit/clients/index.ts';
import type { SampleParameter, SampleRequest } from '../../../compiler/emit/index.ts';
import { boundNames, packageNameOf, RESERVED_WORDS, type SdkNames } from '../../../compiler/emit/sdk/index.ts';
import { type ContractModel, lowerFirst } from '../../../compiler/model/index.ts';
import { lookUp } from '../../../descriptor/look-up.ts';
import { namingProperty, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import { literals } from './sample.ts';

/** Makes samples that use the generated client, by its members. */
export function typescriptSamples(model: ContractModel, base: string): (request: SampleRequest) => string {
  const names = boundNames(model);
  const resources = [...model.resources, ...throughResources(model)];
  const from = packageNameOf(model);
  return (request) => {
    const resource = resources.find((one) => actionOf(one, request.operationId));
    const call = resource
      ? actionCall(resource, request, names)
      : operationCall(request, lookUp(names.operations, request.operationId));
    const token = request.needsToken ? TOKEN : '';
    return program({ from, base, uses: [], token }, call);
  };
}

/** A program that uses the client. `uses`: what it imports besides. */
export const program = (
  {
    from,
    base,
    uses,
    token,
  }: { readonly from: string; readonly base: string; readonly uses: readonly string[]; readonly token: string },
  statements: string,
): string => `import { ${['createClient', ...uses].join(', ')} } from '${from}/bound';

const client = createClient({ baseUrl: '${base}'${token} });
${statements}
`;

export const TOKEN = ', token: () => process.env.TOKEN';

/** How a program names a resource of the client, and one of its rows. */
export interface Named {
  /** The expression for the resource: `client.orders.items`. */
  readonly expression: string;
  /** The arguments that say what it belongs to; empty: nothing. */
  readonly parent: readonly string[];
  /** What finds the row. */
  readonly target: string;
}

export function namedIn(
  resource: ResourceDescriptor,
  { inPath }: Pick<SampleRequest, 'inPath'>,
  names: SdkNames,
): Named {
  const expression = lookUp(names.resources, resource.key);
  const ids = inPath.filter(({ name }) => name !== resource.idParameter).map(({ name, given }) => member(name, given));
  const target = inPath.find(({ name }) => name === resource.idParameter)?.given;
  return {
    expression,
    parent: ids.length > 0 ? [`{ ${ids.join(', ')} }`] : [],
    target: ids.length > 0 ? `{ ${[...ids, member(namingProperty(resource), target)].join(', ')} }` : literal(target),
  };
}

function actionCall(resource: ResourceDescriptor, request: SampleRequest, names: SdkNames): string {
  const { expression, parent, target } = namedIn(resource, request, names);
  const one = lowerFirst(resource.name);
  const body = literal(request.body?.value);
  const action = actionOf(resource, request.operationId)!;
  switch (action) {
    case 'list':
      return `for await (const item of ${expression}.list(${parent.join(', ')})) console.log(item);`;
    case 'create':
      return result(one, `${expression}.create(${[...parent, body].join(', ')})`);
    case 'get':
      return result(one, `${expression}.get(${target})`);
    case 'delete':
      return `await ${expression}.delete(${target});`;
    default:
      return result(one, `${expression}.${action}(${target}, ${body})`);
  }
}

function operationCall({ inPath, inQuery, inHeader, body }: SampleRequest, expression: string): string {
  const part = (title: string, parameters: readonly SampleParameter[]): string[] =>
    parameters.length === 0 ? [] : [`${title}: { ${parameters.map((one) => member(one.name, one.given)).join(', ')} }`];
  const asked = (parameters: readonly SampleParameter[]) => parameters.filter(({ isRequired }) => isRequired);
  const parts = [
    ...part('path', inPath),
    ...part('query', asked(inQuery)),
    ...part('header', asked(inHeader)),
    ...(body ? [`body: ${literal(body.value)}`] : []),
  ];
  const request = parts.length > 0 ? `{ ${parts.join(', ')} }` : '';
  return `const answer = await ${expression}(${request});\nconsole.log(answer);`;
}

/** Declares what was answered by a name that is not taken. */
const result = (name: string, call: string): string => {
  const free = IDENTIFIER.test(name) && name !== 'client' && !RESERVED_WORDS.includes(name) ? name : 'answer';
  return `const ${free} = await ${call};\nconsole.log(${free});`;
};

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const property = (name: string): string => (IDENTIFIER.test(name) ? name : quote(name));
const member = (name: string, value: unknown): string => `${property(name)}: ${literal(value)}`;
const quote = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** A JSON value as TypeScript writes it. */
export const literal = literals(
  '  ',
  (value) => (typeof value === 'string' ? quote(value) : (JSON.stringify(value) ?? 'undefined')),
  property,
);
