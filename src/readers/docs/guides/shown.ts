import { clientGraphql } from '../../../compiler/emit/clients/index.ts';
import type { RootField, SampleParameter, SampleRequest } from '../../../compiler/emit/index.ts';
import { boundNames, packageNameOf, type SdkNames } from '../../../compiler/emit/sdk/index.ts';
import { admitsAnonymous } from '../../../descriptor/access.ts';
import type { FieldDescriptor } from '../../../descriptor/graphql.ts';
import { lookUp } from '../../../descriptor/look-up.ts';
import { once } from '../../../descriptor/once.ts';
import { type Action, declaredAction, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import { clientModel, type SampleUse } from '../../clients/samples.ts';
import { block } from '../layout/markdown.ts';
import type { Reference } from '../reference/reference.ts';
import { curlSample } from '../samples/curl.ts';
import { graphqlCurl } from '../samples/graphql.ts';
import type { ChangedExample } from '../samples/graphql-operations.ts';
import { sampleOf } from '../samples/sample.ts';
import { clientSamples, sampleBlocks } from '../samples/samples.ts';
import { literal, namedIn, program, TOKEN } from '../samples/typescript.ts';
import type { Program, Values } from './template.ts';

/** What a request has beside what it must. */
export interface Changes {
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: unknown;
}

/** What guides show: the resource that shows a thing best, and calls of it in each language. */
export class Shown {
  readonly #reference: Reference;
  readonly #names: SdkNames;
  readonly #clients = once(() => clientSamples(clientModel(this.#reference.model), this.#reference.addresses.base));

  constructor(reference: Reference) {
    this.#reference = reference;
    this.#names = boundNames(reference.model);
  }

  /** A resource with all of these actions that fits: one that belongs to none, and that anyone may call, before others. */
  resource(
    actions: readonly Action[],
    fits: (resource: ResourceDescriptor) => boolean = () => true,
  ): ResourceDescriptor | undefined {
    const able = this.#reference.model.resources.filter(
      (resource) => actions.every((action) => resource.actions[action]) && fits(resource),
    );
    const rank = (resource: ResourceDescriptor): number =>
      (resource.parent ? 2 : 0) +
      (actions.every((action) => admitsAnonymous(declaredAction(resource, action).access)) ? 0 : 1);
    return able.toSorted((a, b) => rank(a) - rank(b))[0];
  }

  /** What all guides name: the API, and calls of a resource; without one, nothing of these. */
  values(resource: ResourceDescriptor | undefined): Values {
    const { model, addresses } = this.#reference;
    const about =
      <Given extends readonly unknown[], T>(show: (resource: ResourceDescriptor, ...given: Given) => T) =>
      (...given: Given): T | undefined =>
        resource && show(resource, ...given);
    return {
      ...{ hasGraphql: model.graphql, package: packageNameOf(model), ...addresses },
      curl: about((one, action: Action, changes?: Changes) => this.curl(one, action, changes)),
      program: about((one, action: Action, ...errors: readonly string[]) => this.#program(one, action, errors)),
      clients: about((one, action: Action, ...how: readonly (Changes | SampleUse)[]) => this.#others(one, action, how)),
      document: about((one, kind: FieldDescriptor['kind'], changed?: ChangedExample) =>
        this.graphql(one, kind, changed),
      ),
      documentCurl: about((one, kind: FieldDescriptor['kind'], changes: Changes) =>
        this.#graphqlCurl(one, kind, changes),
      ),
    };
  }

  request({ actions }: ResourceDescriptor, action: Action): SampleRequest {
    return lookUp(this.#reference.requests, actions[action]?.operationId ?? '');
  }

  /** A call in a shell. */
  curl(resource: ResourceDescriptor, action: Action, changes?: Changes): string {
    return block('sh', this.command(resource, action, changes), 'curl');
  }

  /** A call of any operation in a shell. */
  curlOf(operationId: string, changes?: Changes): string {
    return block('sh', this.#commandOf(lookUp(this.#reference.requests, operationId), changes), 'curl');
  }

  /** The same as text, for a longer script. */
  command(resource: ResourceDescriptor, action: Action, changes?: Changes): string {
    return this.#commandOf(this.request(resource, action), changes);
  }

  #commandOf(request: SampleRequest, { query = {}, headers = [], body }: Changes = {}): string {
    const asked = Object.entries(query).map(([name, value]) => `${name}=${value}`);
    const must = request.inQuery.filter(({ name, isRequired }) => isRequired && query[name] === undefined);
    const inQuery = asked.length === 0 ? request.inQuery : must;
    const sample = sampleOf({ ...request, inQuery }, this.#reference.addresses.base);
    const url = [sample.url, asked.join('&')].filter(Boolean).join(sample.url.includes('?') ? '&' : '?');
    return curlSample({ ...sample, url, headers: [...sample.headers, ...headers], body: changed(sample.body, body) });
  }

  /** A program with the client of TypeScript. `errors`: classes that it imports. */
  #program(resource: ResourceDescriptor, action: Action, errors: readonly string[]): Program {
    const { model, addresses } = this.#reference;
    const request = this.request(resource, action);
    const { expression, parent, target } = namedIn(resource, request, this.#names);
    const body = request.body && literal(request.body.value);
    const [frame, token] = [{ from: packageNameOf(model), base: addresses.base }, request.needsToken ? TOKEN : ''];
    const given = { list: parent, create: [...parent, body], get: [target] }[action as string] ?? [target, body];
    return {
      values: {
        ...{ on: expression, target, body },
        call: (...more: readonly string[]) => `${expression}.${action}(${[...given, ...more].join(', ')})`,
      },
      write: (statements) =>
        block('ts', program({ ...frame, uses: errors, token }, statements.trimEnd()), 'TypeScript'),
    };
  }

  /** The same by the clients of the other languages: with changes, or what the programs do besides. */
  #others(resource: ResourceDescriptor, action: Action, how: readonly (Changes | SampleUse)[]): string {
    const { query = {}, headers = [], body } = how.find((one) => typeof one === 'object') ?? {};
    const use = how.find((one) => typeof one === 'string');
    const request = this.request(resource, action);
    const inQuery = Object.entries(query).map(([name, given]) => sent(name, given));
    const inHeader = headers.map(([name, value]) => sent(name, value));
    const asked = {
      ...request,
      inQuery: [...request.inQuery, ...inQuery],
      inHeader: [...request.inHeader.filter(({ name }) => !headers.some(([own]) => own === name)), ...inHeader],
      body: changed(request.body, body),
    };
    return sampleBlocks(this.#clients().calls(asked, use));
  }

  /** Programs in these languages that follow a subscription. */
  events({ field }: RootField, variables: Readonly<Record<string, unknown>>): string {
    const { graphql } = this.#reference.model;
    const document = graphql && clientGraphql(graphql).documents.find((one) => one.field === field.name);
    const args = document?.variables.map(({ name, type }) => ({
      text: variables[name] === undefined ? undefined : String(variables[name]),
      isRequired: type.endsWith('!'),
      isText: /^(?:ID|String)!?$/.test(type),
    }));
    const isSpelt = args?.every(({ text, isText }) => text === undefined || isText);
    return document && args && isSpelt ? sampleBlocks(this.#clients().events({ name: document.name, args })) : '';
  }

  /** A document of GraphQL with its variables; empty where the contract has none. */
  graphql(resource: ResourceDescriptor, kind: FieldDescriptor['kind'], changed?: ChangedExample): string {
    const root = this.#reference.fieldWith(kind, resource);
    if (!root) return '';
    const { document, variables } = this.#reference.example(root, changed);
    const given = JSON.stringify(variables, undefined, 2).replaceAll('\n', '\n# ');
    return block('graphql', given === '{}' ? document : `${document}\n\n# Variables: ${given}`, 'GraphQL');
  }

  /** The same as a request in a shell, with header fields. */
  #graphqlCurl(resource: ResourceDescriptor, kind: FieldDescriptor['kind'], { headers }: Changes): string {
    const root = this.#reference.fieldWith(kind, resource);
    if (!root) return '';
    const { endpoint } = this.#reference.addresses;
    const needsToken = this.#reference.needsToken(root);
    return block('sh', graphqlCurl(endpoint, this.#reference.example(root), needsToken, headers), 'GraphQL');
  }
}

const sent = (name: string, given: unknown): SampleParameter => ({
  ...{ name, given, value: String(given) },
  isRequired: true,
});

const changed = (body: SampleRequest['body'], value: unknown): SampleRequest['body'] =>
  body && value !== undefined ? { ...body, value, text: JSON.stringify(value, undefined, 2) } : body;
