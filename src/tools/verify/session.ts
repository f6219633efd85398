import { buildSchema, getNamedType } from 'graphql';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { Action, ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Caller } from '../proof/callers.ts';
import { graphqlOutcome } from '../proof/graphql-outcome.ts';
import { GraphqlWords, type Route } from '../proof/graphql-words.ts';
import { InputWords } from '../proof/input-words.ts';
import type { WireRequest } from '../proof/request.ts';
import { RestWords, restOutcome } from '../proof/rest-words.ts';
import { Selection } from '../proof/selection.ts';
import type { Outcome, Step } from '../proof/step.ts';
import type { Conformance } from './conformance.ts';
import { Deviation } from './deviation.ts';
import type { HttpReply, Wire } from './exchange.ts';

export type Protocol = 'rest' | 'graphql';

/** What a contract gives to put steps into words, made once. */
export interface Language {
  readonly contract: CompiledContract;
  readonly conformance: Conformance;
  readonly rest: RestWords;
  readonly graphql: GraphqlWords | undefined;
  readonly selection: Selection | undefined;
}

export function languageOf(contract: CompiledContract, conformance: Conformance): Language {
  const { document, graphql } = contract;
  const schema = graphql && buildSchema(graphql.sdl, { assumeValid: true });
  const inputs = schema && new InputWords(schema, graphql.descriptor);
  const selection = graphql && new Selection(graphql.descriptor);
  const words = schema && inputs && selection && new GraphqlWords(schema, graphql.descriptor, inputs, selection);
  const asIs = { rest: (_type: string | undefined, value: unknown) => value } as unknown as InputWords;
  return {
    contract,
    conformance,
    rest: new RestWords(document, inputs ?? asIs, () => undefined),
    graphql: words,
    selection,
  };
}

/** One run against a server: every answer is held against the contract before anything else is done with it. */
export class Session {
  readonly language: Language;
  readonly wire: Wire;

  constructor(language: Language, wire: Wire) {
    this.language = language;
    this.wire = wire;
  }

  /** The field that stands for an action; undefined: GraphQL has none. */
  route(resource: ResourceDescriptor, action: Action): Route | undefined {
    return this.language.graphql?.route(resource, action);
  }

  /** Runs a step over REST. Throws `Deviation`. */
  async rest(
    step: Step,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ outcome: Outcome; reply: HttpReply }> {
    const request = this.language.rest.request(step);
    const reply = await this.send({ ...request, headers: { ...request.headers, ...headers } }, step.caller);
    this.language.conformance.rest(operationOf(step), reply);
    return { outcome: restOutcome(step, reply), reply };
  }

  /** Runs a step over GraphQL; its data in the shape of REST's. Throws `Deviation`. */
  async graphql(step: Step, route: Route): Promise<Outcome> {
    const request = this.language.graphql!.request(step, route);
    const reply = await this.send(request, step.caller);
    const path = route.fields.map(({ name }) => name);
    const outcome = graphqlOutcome(step, path, reply);
    if (outcome.kind === 'nonsense')
      throw new Deviation('graphql', path.join('.'), `${path.join('.')}: ${outcome.text.slice(0, 400)}`);
    if (outcome.kind === 'error') this.#checkError(path.join('.'), outcome.code, outcome.status);
    return outcome;
  }

  #checkError(subject: string, code: string, status: number): void {
    const entry = this.language.contract.errors[code];
    if (entry?.status === status) return;
    const message = entry
      ? `${subject} answers ${code} with ${status}; the contract says ${entry.status}`
      : `${subject} answers the code ${code}, which the contract lacks`;
    throw new Deviation('error', subject, message);
  }

  send(request: WireRequest, caller: Caller): Promise<HttpReply> {
    return this.wire.send(request, caller.name);
  }

  /** What GraphQL answers where REST answers this value. */
  projected(route: Route, action: Action, value: unknown): unknown {
    const { type } = route.fields.at(-1)!.field;
    const { selection } = this.language;
    return selection!.project(action === 'list' ? selection!.nodesOf(type) : getNamedType(type), value);
  }
}

export const operationOf = ({ resource, action }: Pick<Step, 'resource' | 'action'>): string =>
  resource.actions[action]!.operationId;
