import { isDeepStrictEqual } from 'node:util';
import { buildSchema } from 'graphql';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import { type RestOperation, readOperations } from '../../runtime/rest/operation.ts';
import { inOrder } from '../synthetic/order.ts';
import { Random } from '../synthetic/random.ts';
import { type Callers, callersOf } from './callers.ts';
import { Comparer } from './compare.ts';
import { EventOracle, type Expected } from './event-oracle.ts';
import { EventProof } from './event-proof.ts';
import { graphqlOutcome } from './graphql-outcome.ts';
import { GraphqlWords, type Route } from './graphql-words.ts';
import { InputWords } from './input-words.ts';
import { Inputs } from './inputs.ts';
import { mend } from './mend.ts';
import { ParityRecord } from './record.ts';
import type { WireRequest } from './request.ts';
import { RestWords, restOutcome } from './rest-words.ts';
import { Rows } from './rows.ts';
import { Selection } from './selection.ts';
import type { Outcome, Step } from './step.ts';
import { type Dump, dumpOf } from './store-dump.ts';
import { type Defect, START, type Twins } from './twins.ts';

export interface ProofOptions {
  readonly contract: CompiledContract;
  readonly twins: Twins;
  readonly seed: number;
  readonly defect?: Defect | undefined;
}

export interface ExchangeOptions {
  /** In GraphQL's words. */
  readonly step: Step;
  readonly route: Route;
  readonly rest: WireRequest;
  /** In REST's words, where they are about another resource. */
  readonly restStep?: Step;
  /** As the report has it; the action, if left out. */
  readonly name?: string;
}

/** Both servers, both languages, and what came of each step. */
export class Proof {
  readonly contract: CompiledContract;
  readonly twins: Twins;
  readonly random: Random;
  readonly rows: Rows;
  readonly inputs: Inputs;
  readonly callers: Callers;
  readonly rest: RestWords;
  readonly graphql: GraphqlWords;
  readonly selection: Selection;
  readonly comparer: Comparer;
  readonly events: EventProof;
  readonly oracle: EventOracle;
  readonly record = new ParityRecord();
  readonly operations: readonly RestOperation[];
  readonly #isDefective: boolean;

  static open(options: ProofOptions): Proof {
    return new Proof(options, callersOf(options.contract, START));
  }

  private constructor({ contract, twins, seed, defect }: ProofOptions, callers: Callers) {
    const { sdl, descriptor } = contract.graphql!;
    const schema = buildSchema(sdl);
    this.contract = contract;
    this.#isDefective = defect !== undefined;
    this.operations = readOperations(contract.document);
    this.twins = twins;
    this.callers = callers;
    this.random = new Random(seed);
    this.rows = new Rows(contract.resources, this.random);
    this.inputs = new Inputs(contract.document, this.random, this.rows);
    const inputs = new InputWords(schema, descriptor);
    this.selection = new Selection(descriptor);
    this.graphql = new GraphqlWords(schema, descriptor, inputs, this.selection);
    this.rest = new RestWords(contract.document, inputs, (step) => this.#inputType(step));
    this.comparer = new Comparer({ words: this.graphql, inputs, selection: this.selection });
    this.events = new EventProof(twins, this.graphql, this.selection, defect);
    const { rest, rows, selection, events, graphql: words } = this;
    this.oracle = new EventOracle({ twin: twins.rest, words, rest, rows, selection, events });
  }

  #inputType({ resource, action }: Step): string | undefined {
    return this.graphql.route(resource, action)?.fields.at(-1)?.input;
  }

  /** Schemas of a list's query parameters by name. */
  queryParametersOf({ actions }: ResourceDescriptor): ReadonlyMap<string, unknown> {
    const operation = this.operations.find(({ operationId }) => operationId === actions.list?.operationId);
    const parameters = operation?.parameters.filter((parameter) => parameter.in === 'query') ?? [];
    return new Map(parameters.map(({ name, schema }) => [name, schema]));
  }

  get resources(): readonly ResourceDescriptor[] {
    return this.contract.resources;
  }

  /** Runs a step over REST on one server and over GraphQL on the other; what REST answered. */
  async run(step: Step): Promise<Outcome> {
    const route = this.graphql.route(step.resource, step.action);
    if (!route) return this.#missing(step);
    return this.exchange({ step, route, rest: this.rest.request(step) });
  }

  /** Compares a REST request with a GraphQL field on any way; what REST answered. */
  async exchange({ step, route, rest, name = step.action, restStep = step }: ExchangeOptions): Promise<Outcome> {
    this.twins.advance();
    const expected = await this.oracle.before(step);
    const graphql = this.graphql.request(step, route);
    const reply = { rest: await this.twins.rest.send(rest), graphql: await this.twins.graphql.send(graphql) };
    const path = route.fields.map((field) => field.name);
    const outcome = restOutcome(restStep, reply.rest);
    const answered = graphqlOutcome(step, path, reply.graphql);
    const difference = this.comparer.difference(step, route, outcome, answered);
    const effects = (await this.sideEffects()) ?? (await this.#eventsAmiss(step, outcome, expected));
    this.record.add(
      {
        resource: step.resource.key,
        action: name,
        caller: step.caller.name,
        label: step.label,
        rest: { request: rest, reply: reply.rest },
        graphql: { request: graphql, reply: reply.graphql },
        difference: difference ?? effects,
      },
      outcome.kind === 'error' ? outcome.code : outcome.kind,
    );
    return outcome;
  }

  async #eventsAmiss(step: Step, outcome: Outcome, expected: Expected | undefined): Promise<string | undefined> {
    if (!expected || outcome.kind !== 'data') return undefined;
    return this.oracle.difference(step, outcome.value, expected);
  }

  #missing({ resource, action }: Step): Outcome {
    const gap = `${resource.key} ${action}: GraphQL has no such field`;
    this.record.skip(gap);
    return { kind: 'nonsense', text: gap };
  }

  /** Runs a step over REST on both servers, to make what other steps need. */
  async prepare(step: Step): Promise<Outcome> {
    this.twins.advance();
    const request = this.rest.request(step);
    const reply = await this.twins.rest.send(request);
    await this.twins.graphql.app.inject({
      method: request.method,
      url: request.url,
      headers: request.headers,
      ...(request.body !== undefined && { payload: request.body }),
    });
    const difference = await this.sideEffects();
    if (difference !== undefined && !this.#isDefective)
      throw new Error(`preparing ${step.resource.key} ${step.action}: ${difference}`);
    return restOutcome(step, reply);
  }

  /** In which way stores or events differ. Afterwards both are seen as they are. */
  async sideEffects(): Promise<string | undefined> {
    const rest = await dumpOf(this.twins.rest.store, this.resources);
    const graphql = await dumpOf(this.twins.graphql.store, this.resources);
    this.rows.see(rest);
    const events = await this.events.difference();
    const stores = storeDifference(rest, graphql);
    if (stores !== undefined) await mend(this.twins.graphql.store, graphql, rest, inOrder(this.resources));
    return stores ?? events;
  }

  finish(): ParityRecord {
    this.record.events = this.events.count;
    return this.record;
  }
}

function storeDifference(rest: Dump, graphql: Dump): string | undefined {
  for (const key of Object.keys(rest)) {
    if (isDeepStrictEqual(rest[key], graphql[key])) continue;
    const lacks = (one: Dump, other: Dump): string[] => {
      const known = new Set(other[key]!.map((row) => JSON.stringify(row)));
      return one[key]!.map((row) => JSON.stringify(row)).filter((row) => !known.has(row));
    };
    return `the rows of ${key} differ: only after REST ${lacks(rest, graphql)}, only after GraphQL ${lacks(graphql, rest)}`;
  }
  return undefined;
}
