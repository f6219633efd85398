import { actionOf, resourcesIn, treesOf } from '../../../compiler/emit/clients/index.ts';
import type { SampleRequest } from '../../../compiler/emit/index.ts';
import type { ContractModel } from '../../../compiler/model/index.ts';
import { lookUp } from '../../../descriptor/look-up.ts';
import { packageVersionOf } from '../../../descriptor/package.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import { operationWithId } from '../../../descriptor/rest.ts';
import { clientNameOf } from '../common/names.ts';
import { MISSED, OVERTAKEN, type SampleEvents, type SampleUse } from '../common/sample-use.ts';
import { GoCall, goRaw } from './go-call.ts';
import { type GoNames, goImport, goName, goNames } from './go-names.ts';
import { goResourceNames } from './go-resources.ts';

/**
 * Programs that call the operations of a contract by its client; undefined for a request whose types they cannot spell. `base`: the
 * URL of the API. The token is in the environment.
 */
export function goSamples(
  model: ContractModel,
  base: string,
): (request: SampleRequest, use?: SampleUse) => string | undefined {
  const names = namesOf(model);
  const trees = treesOf(model);
  const resources = trees.flatMap(resourcesIn);
  const members = goResourceNames(trees);
  return (request, use) => {
    const operation = operationWithId(model.operations, request.operationId);
    const call = new GoCall(model, operation, request, names.package);
    const resource = resources.find((one) => actionOf(one, request.operationId));
    const text = resource
      ? actionText(resource, `client.${lookUp(members, resource.key)}`, call, use)
      : operationText(call);
    return call.isSpelt ? program(text, request.needsToken, names, base) : undefined;
  };
}

const namesOf = (model: ContractModel): GoNames =>
  goNames({ name: clientNameOf(model), packageName: undefined, version: packageVersionOf(model.document) });

const FATAL = '\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n';

function actionText(resource: ResourceDescriptor, member: string, call: GoCall, use: SampleUse | undefined): string {
  const { body, operationId } = call.request;
  const action = actionOf(resource, operationId)!;
  const { input, patch } = resource.schemas;
  const type = goName((action === 'update' ? patch : input) ?? '');
  const params = call.params(action !== 'list');
  const sent = [...params, ...(body ? ['body'] : [])];
  const called = `${member}.${goName(action)}(${[...call.path, ...sent, ...call.options()].join(', ')})`;
  if (use === 'pages') return pagesText(member, call, params);
  if (action === 'list') return listText(called, call, use);
  if (action === 'delete') return `\tif err := ${called}; err != nil {\n\t\tlog.Fatal(err)\n\t}\n`;
  const read = body
    ? `\tvar body api.${type}\n\tif err := json.Unmarshal([]byte(${goRaw(body.text)}), &body); err != nil {\n\t\tlog.Fatal(err)\n\t}\n`
    : '';
  if (body && !/^[A-Z]/.test(type)) call.isSpelt = false;
  const ids = call.path.join(', ');
  switch (use) {
    case 'unchanged': {
      const given = [...call.path.slice(0, -1), 'read', ...sent].join(', ');
      const problem = `errors.Is(err, ${call.own}.CodePreconditionFailed)`;
      return `${read}\tread, err := ${member}.Get(${ids})
${FATAL}\t_, err = ${member}.${goName(action)}IfUnchanged(${given})
${unless(problem, `fmt.Println("${OVERTAKEN}")`)}`;
    }
    case 'change': {
      const patchOf = `func(current *api.${goName(resource.schemas.resource)}) (*api.${type}, error)`;
      return `${read}\tanswer, err := ${member}.Change(${ids}, ${patchOf} {
\t\treturn &body, nil
\t})
${FATAL}${ANSWER}`;
    }
    case 'refused':
      return `${read}\t_, err = ${called}
\tvar refused *${call.own}.Error
${unless('errors.As(err, &refused)', 'fmt.Println(refused.Code, refused.Detail, refused.Errors, refused.RequestID)')}`;
    default:
      return `${read}\tanswer, err := ${called}\n${FATAL}${ANSWER}`;
  }
}

const ANSWER = '\tfmt.Printf("%+v\\n", *answer)\n';

const unless = (problem: string, statement: string): string =>
  `\tif ${problem} {\n\t\t${statement}\n\t} else if err != nil {\n\t\tlog.Fatal(err)\n\t}\n`;

function listText(called: string, { own }: GoCall, use: SampleUse | undefined): string {
  const waits = `\t\tif errors.As(err, &refused) && refused.Code == ${own}.CodeTooManyRequests {
\t\t\tfmt.Println(refused.RetryAfter)
\t\t\tbreak
\t\t}
`;
  const isWaiting = use === 'waits';
  return `${isWaiting ? `\tvar refused *${own}.Error\n` : ''}\tfor item, err := range ${called} {
${isWaiting ? waits : ''}${indented(FATAL)}\t\tfmt.Printf("%+v\\n", item)
\t}
`;
}

function pagesText(member: string, { name, path }: GoCall, [given]: readonly string[]): string {
  const page = `${member}.Page(${path.join(', ')}, params)`;
  return `\tparams := ${given === 'nil' ? `&api.${name}Params{}` : given}
\tfirst, err := ${page}
${FATAL}\tif next, err := first.Page.NextCursor.Get(); err == nil {
\t\tparams.Cursor = &next
\t\tsecond, err := ${page}
${indented(FATAL)}\t\tfmt.Printf("%+v\\n", second.Data)
\t}
`;
}

const indented = (lines: string): string => lines.replace(/^(?=.)/gm, '\t');

function operationText(call: GoCall): string {
  const { body } = call.request;
  const sent = body ? [JSON.stringify(body.type), `strings.NewReader(${goRaw(body.text)})`] : [];
  const method = `${call.name}${body ? 'WithBody' : ''}WithResponse`;
  const args = [...call.path, ...call.params(false), ...sent].join(', ');
  return `\tres, err := client.${method}(${args})\n${FATAL}\tfmt.Println(res.StatusCode(), string(res.Body))\n`;
}

/** A program that follows a subscription. */
export function goEvents(model: ContractModel, base: string): (events: SampleEvents) => string {
  const names = namesOf(model);
  const { package: own } = names;
  return ({ name, args }) => {
    const given = args.map(({ text, isRequired }) => {
      if (text === undefined) return 'nil';
      return isRequired ? JSON.stringify(text) : `${own}.Set(${JSON.stringify(text)})`;
    });
    const text = `\tmissed := ${own}.OnMissed(func() { fmt.Println("${MISSED}") })
\tfor event, err := range graphql.${name}(${['ctx', 'client', ...given, 'missed'].join(', ')}) {
${indented(FATAL)}\t\tfmt.Printf("%+v\\n", event)
\t}
`;
    return program(text, true, names, base, true);
  };
}

function program(text: string, needsToken: boolean, names: GoNames, base: string, isGraphql = false): string {
  const token = needsToken ? `Token: ${names.package}.StaticToken(os.Getenv("TOKEN"))` : '';
  const connection = `${JSON.stringify(base)}, ${names.package}.Connection{${token}}`;
  const all = `\tctx := context.Background()
	client, err := ${names.package}.${isGraphql ? `NewGraphQL(${connection}, "")` : `New(${connection})`}
${FATAL}${text}`;
  const used = (paths: readonly string[]): string =>
    paths
      .filter((path) => new RegExp(`(?<![\\w."])${path.split('/').at(-1)}\\.[A-Z]`).test(all))
      .map((path) => `\t"${path}"\n`)
      .join('');
  const others = used(['github.com/google/uuid', 'github.com/oapi-codegen/runtime/types']);
  return `package main

import (
${used(['context', 'encoding/json', 'errors', 'fmt', 'log', 'os', 'strings', 'time'])}
${others && `${others}\n`}	${goImport(names)}
${used([`${names.module}/api`, `${names.module}/graphql`])})

func main() {
${all}}
`;
}
