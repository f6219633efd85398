import { actionOf, resourcesIn, treesOf } from '../../compiler/emit/clients/resource-tree.ts';
import type { SampleParameter, SampleRequest } from '../../compiler/emit/sample-requests.ts';
import { flat, type ValueSchema } from '../../compiler/json-schema/value-schema.ts';
import type { ContractModel, OperationModel } from '../../compiler/model/model.ts';
import { CONSISTENCY_TOKEN } from '../../descriptor/consistency-token.ts';
import { lookUp } from '../../descriptor/look-up.ts';
import { packageVersionOf } from '../../descriptor/package.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import { operationWithId } from '../../descriptor/rest.ts';
import { pathParameters } from '../../descriptor/sent-path.ts';
import { clientNameOf } from '../common/names.ts';
import { BY_OPTIONS } from './go-methods.ts';
import { type GoNames, goImport, goName, goNames } from './go-names.ts';
import { goResourceNames } from './go-resources.ts';

/**
 * Programs that call the operations of a contract by its client; undefined for a request whose types they cannot spell. `base`: the
 * URL of the API. The token is in the environment.
 */
export function goSamples(model: ContractModel, base: string): (request: SampleRequest) => string | undefined {
  const names = goNames({
    name: clientNameOf(model),
    packageName: undefined,
    version: packageVersionOf(model.document),
  });
  const trees = treesOf(model);
  const resources = trees.flatMap(resourcesIn);
  const members = goResourceNames(trees);
  return (request) => {
    const operation = operationWithId(model.operations, request.operationId);
    const call = new Call(model, operation, request);
    const resource = resources.find((one) => actionOf(one, request.operationId));
    const text = resource
      ? actionText(resource, `client.${lookUp(members, resource.key)}`, call, names)
      : operationText(call);
    return call.isSpelt ? program(text, request, names, base) : undefined;
  };
}

/** The arguments of a call. */
class Call {
  readonly request: SampleRequest;
  readonly name: string;
  /** Ids, with the context before them. */
  readonly path: readonly string[];
  /** Whether the types of all of them are known here. */
  isSpelt = true;
  readonly #model: ContractModel;
  readonly #operation: OperationModel;

  constructor(model: ContractModel, operation: OperationModel, request: SampleRequest) {
    this.#model = model;
    this.#operation = operation;
    this.request = request;
    this.name = goName(request.operationId);
    const ids = pathParameters(request.path).map((name) => request.inPath.find((one) => one.name === name));
    this.path = ['ctx', ...ids.map((id) => this.#literal(id))];
  }

  /** The parameters that the method takes, where it takes any: all, or, of an action, those beside its options. */
  params(isAction: boolean): readonly string[] {
    const { inQuery, inHeader } = this.request;
    const isTaken = (name: string): boolean =>
      name !== CONSISTENCY_TOKEN && !(isAction && BY_OPTIONS.has(name.toLowerCase()));
    const declared = this.#operation.parameters.filter((one) => one.in !== 'path' && isTaken(one.name));
    if (declared.some((one) => one.in === 'cookie' && one.required)) this.isSpelt = false;
    if (declared.length === 0) return [];
    const fields = [...inQuery, ...inHeader]
      .filter(({ name, isRequired }) => isRequired && isTaken(name))
      .map((one) => `${goName(one.name)}: ${this.#literal(one)}`);
    return [fields.length === 0 ? 'nil' : `&api.${this.name}Params{${fields.join(', ')}}`];
  }

  #literal(parameter: SampleParameter | undefined): string {
    const schema = this.#operation.parameters.find(({ name }) => name === parameter?.name)?.schema;
    const { type, format = '' } = flat(this.#model.document, schema as ValueSchema | undefined);
    const given = parameter?.given;
    const kind = [type].flat().find((one) => one !== 'null');
    if (kind === 'string' && typeof given === 'string' && !/^date|^byte$|^binary$/.test(format))
      return format === 'uuid' ? `uuid.MustParse(${JSON.stringify(given)})` : JSON.stringify(given);
    if (kind === typeof given || (kind === 'integer' && Number.isInteger(given))) return String(given);
    this.isSpelt = false;
    return '';
  }
}

const FATAL = '\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n';

function actionText(resource: ResourceDescriptor, member: string, call: Call, { package: own }: GoNames): string {
  const { body, operationId, inHeader } = call.request;
  const action = actionOf(resource, operationId)!;
  const { input, patch } = resource.schemas;
  const type = goName((action === 'update' ? patch : input) ?? '');
  const isConditional = inHeader.some(({ name, isRequired }) => isRequired && name.toLowerCase() === 'if-match');
  const args = [
    ...call.path,
    ...call.params(action !== 'list'),
    ...(body ? ['body'] : []),
    ...(isConditional ? [`${own}.IfVersion(1)`] : []),
  ];
  const called = `${member}.${goName(action)}(${args.join(', ')})`;
  if (action === 'list')
    return `\tfor item, err := range ${called} {\n${FATAL.replace(/^/gm, '\t').trimEnd()}\n\t\tfmt.Printf("%+v\\n", item)\n\t}\n`;
  if (action === 'delete') return `\tif err := ${called}; err != nil {\n\t\tlog.Fatal(err)\n\t}\n`;
  const read = body
    ? `\tvar body api.${type}\n\tif err := json.Unmarshal([]byte(${goRaw(body.text)}), &body); err != nil {\n\t\tlog.Fatal(err)\n\t}\n`
    : '';
  if (body && !/^[A-Z]/.test(type)) call.isSpelt = false;
  return `${read}\tanswer, err := ${called}\n${FATAL}\tfmt.Printf("%+v\\n", *answer)\n`;
}

function operationText(call: Call): string {
  const { body } = call.request;
  const sent = body ? [JSON.stringify(body.type), `strings.NewReader(${goRaw(body.text)})`] : [];
  const method = `${call.name}${body ? 'WithBody' : ''}WithResponse`;
  const args = [...call.path, ...call.params(false), ...sent].join(', ');
  return `\tres, err := client.${method}(${args})\n${FATAL}\tfmt.Println(res.StatusCode(), string(res.Body))\n`;
}

function program(text: string, { needsToken }: SampleRequest, names: GoNames, base: string): string {
  const token = needsToken ? `Token: ${names.package}.StaticToken(os.Getenv("TOKEN"))` : '';
  const all = `\tctx := context.Background()
	client, err := ${names.package}.New(${JSON.stringify(base)}, ${names.package}.Connection{${token}})
${FATAL}${text}`;
  const used = (paths: readonly string[]): string =>
    paths
      .filter((path) => new RegExp(`(?<![\\w."])${path.split('/').at(-1)}\\.`).test(all))
      .map((path) => `\t"${path}"\n`)
      .join('');
  const others = used(['github.com/google/uuid']);
  return `package main

import (
${used(['context', 'encoding/json', 'fmt', 'log', 'os', 'strings'])}
${others && `${others}\n`}	${goImport(names)}
${used([`${names.module}/api`])})

func main() {
${all}}
`;
}

/** A text that may have several lines: raw strings have no carriage returns. */
export const goRaw = (text: string): string => (/[`\r]/.test(text) ? JSON.stringify(text) : `\`${text}\``);
