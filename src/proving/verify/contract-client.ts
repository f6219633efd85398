import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { Action, ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Random } from '../../tools/random.ts';
import type { Caller } from '../harness/callers.ts';
import { type Route, routeName } from '../harness/graphql-requests.ts';
import { graphqlCall, type Requests, requestsOf } from '../harness/protocols.ts';
import type { WireRequest } from '../harness/request.ts';
import { restOutcome } from '../harness/rest-requests.ts';
import { type Outcome, operationOf, type Step } from '../harness/step.ts';
import { Successes } from '../harness/successes.ts';
import { Conformance } from './conformance.ts';
import { Deviation } from './deviation.ts';
import type { HttpRecorder, HttpReply } from './http-recorder.ts';

/** Everything derived from the contract that requests are built and responses checked with; made once. */
export interface Protocols extends Requests {
  readonly contract: CompiledContract;
  readonly conformance: Conformance;
}

/** Compiles a contract's schemas, which takes longest of all that a short verification does. */
export function protocolsOf(contract: CompiledContract): Protocols {
  const requests = requestsOf(contract);
  return { contract, ...requests, conformance: new Conformance(contract) };
}

/** The label of steps that a server has to refuse. */
export const REFUSED = 'refused';

/** How often a step that either protocol can run is run over GraphQL. */
const GRAPHQL = 0.4;

/** Sends steps to a server, and checks every response against the contract before it returns it. */
export class ContractClient {
  readonly protocols: Protocols;
  readonly http: HttpRecorder;
  readonly successes: Successes;

  constructor(protocols: Protocols, http: HttpRecorder, successes = new Successes()) {
    this.successes = successes;
    this.protocols = protocols;
    this.http = http;
  }

  /** The route to the field of an action; undefined when GraphQL has none. */
  route(resource: ResourceDescriptor, action: Action): Route | undefined {
    return this.protocols.graphql?.route(resource, action);
  }

  /** Runs a step over REST. Throws `Deviation`. */
  async rest(
    step: Step,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ outcome: Outcome; reply: HttpReply }> {
    const request = this.protocols.rest.request(step);
    const reply = await this.send({ ...request, headers: { ...request.headers, ...headers } }, step.caller);
    this.protocols.conformance.rest(operationOf(step), reply);
    this.#note(step, reply.status);
    return { outcome: restOutcome(step, reply), reply };
  }

  /** Runs a step over one of the protocols, with the reply of REST. Throws `Deviation`. */
  async overAny(step: Step, random: Random): Promise<{ outcome: Outcome; reply?: HttpReply }> {
    const route = this.route(step.resource, step.action);
    return route && random.chance(GRAPHQL) ? { outcome: await this.graphql(step, route) } : this.rest(step);
  }

  /** Runs a step over GraphQL, with data in the shape of REST's. Throws `Deviation`. */
  async graphql(step: Step, route: Route): Promise<Outcome> {
    const { request, outcome: read } = graphqlCall(this.protocols.graphql!, step, route);
    const outcome = read(await this.send(request, step.caller));
    const name = routeName(route);
    if (outcome.kind === 'malformed') throw new Deviation('graphql', name, `answers ${outcome.text.slice(0, 400)}`);
    if (outcome.kind === 'error') this.protocols.conformance.code(name, outcome.code, outcome.status);
    this.#note(step, outcome.kind === 'error' ? outcome.status : 200);
    return outcome;
  }

  #note(step: Step, status: number): void {
    if (step.label !== REFUSED) this.successes.add(operationOf(step), status < 400 ? undefined : String(status));
  }

  send(request: WireRequest, caller: Caller): Promise<HttpReply> {
    return this.http.send(request, caller.name);
  }
}
