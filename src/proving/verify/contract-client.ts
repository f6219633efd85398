import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { Random } from '../../tools/random.ts';
import type { Caller } from '../harness/callers.ts';
import {
  type Protocols as AllProtocols,
  type ComparedCall,
  type Requests,
  requestsOf,
  protocolsOf as servedOver,
} from '../harness/protocols.ts';
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
  readonly all: AllProtocols;
}

/** Compiles a contract's schemas, which takes longest of all that a short verification does. */
export function protocolsOf(contract: CompiledContract): Protocols {
  const requests = requestsOf(contract);
  return { contract, ...requests, conformance: new Conformance(contract), all: servedOver(requests) };
}

/** The label of steps that a server has to refuse. */
export const REFUSED = 'refused';

/** How often a step that several protocols can run is run over another one than REST. */
export const OTHERS = 0.4;

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

  /** A step as it is asked for over each protocol but REST, as far as they have it. */
  calls(step: Step): readonly ComparedCall[] {
    const [, ...others] = this.protocols.all;
    return others.flatMap(({ call }) => call(step) ?? []);
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
    const calls = this.calls(step);
    if (calls.length === 0 || !random.chance(OTHERS)) return this.rest(step);
    return { outcome: await this.over(random.pick(calls), step) };
  }

  /** Runs a step over another protocol than REST, with data in the shape of REST's. Throws `Deviation`. */
  async over(call: ComparedCall, step: Step, operationId = operationOf(step)): Promise<Outcome> {
    const { protocol, subject } = call;
    const outcome = call.outcome(await this.send(call.request, step.caller));
    if (outcome.kind === 'malformed')
      throw new Deviation(protocol.toLowerCase(), subject, `answers ${outcome.text.slice(0, 400)}`);
    if (outcome.kind === 'error') this.protocols.conformance.error(subject, outcome);
    this.#note(step, outcome.kind === 'error' ? outcome.status : 200, operationId);
    return outcome;
  }

  #note(step: Step, status: number, operationId = operationOf(step)): void {
    if (step.label !== REFUSED) this.successes.add(operationId, status < 400 ? undefined : String(status));
  }

  send(request: WireRequest, caller: Caller): Promise<HttpReply> {
    return this.http.send(request, caller.name);
  }
}
