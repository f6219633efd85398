import type { CompiledContract } from '../../src/descriptor/compiled-contract.ts';
import type { AnyHandlers } from '../../src/runtime/wiring.ts';
import { type Edit, editedContract } from './edited-contract.ts';
import type { As, Service } from './service.ts';

const ABSENT = '@parity(rest: ABSENT, because: "A test of code beside a contract.")';
const FIELDS = `
extend type Query { asked: String ${ABSENT} @auth(scopes: []) askedByAll: String ${ABSENT} }
extend type Mutation { done: String ${ABSENT} @auth(scopes: []) doneByAll: String ${ABSENT} }
`;
const REFUSALS = [
  ['403', 'FORBIDDEN'],
  ['404', 'NOT_FOUND'],
  ['409', 'ALREADY_EXISTS, ILLEGAL_TRANSITION, STILL_REFERENCED'],
  ['422', 'REFERENCE_NOT_FOUND'],
].map(([status, codes]) => `'${status}': { description: Refused., x-error-codes: [${codes}] }`);
const ANSWERS = `responses: { '200': { description: Done., content: { application/json: { schema: {} } } }, ${REFUSALS} }`;
const OPERATIONS = `paths:
  /probes:
    get: { operationId: readProbe, x-parity: { graphql: absent, because: A test. }, security: [{}, { bearer: [] }], ${ANSWERS} }
    post: { operationId: writeProbe, x-parity: { graphql: absent, because: A test. }, security: [{}, { bearer: [] }], ${ANSWERS} }
`;

/** A contract of `test/fixtures` with custom operations and fields, for callers with and without a token. */
export const probedContract = (fixture: string, edits: readonly Edit[] = []): Promise<CompiledContract> =>
  editedContract(fixture, [
    ['openapi.yaml', /^paths:\n/gm, OPERATIONS],
    ['schema.graphql', /$(?!.|\n)/g, FIELDS],
    ...edits,
  ]);

// biome-ignore lint/suspicious/noExplicitAny: the code of a contract that has no emitted types
export type Tables = any;

interface Seen {
  readonly asCaller: Tables;
  readonly store: Tables;
}

export type Code = (seen: Seen) => Promise<unknown>;

/** How code is reached: over each protocol, read-only and in a transaction. */
export const READS = ['readProbe', 'Query.asked'] as const;
export const WRITES = ['writeProbe', 'Mutation.done'] as const;
type Way = (typeof READS)[number] | (typeof WRITES)[number];

/** What the code of a probe has come to: what it returned, or the code of the error that ended it. */
export interface Outcome {
  readonly value?: unknown;
  readonly error?: string;
}

/** Handlers whose code each run gives. */
export class Probes {
  /** What the next runs of a handler do. */
  code: Code = async () => null;

  readonly handlers = {
    operations: { readProbe: this.#run(), writeProbe: this.#run() },
    fields: {
      Query: { asked: this.#run(), askedByAll: this.#run() },
      Mutation: { done: this.#run(), doneByAll: this.#run() },
    },
  } as unknown as AnyHandlers;

  #run() {
    return async (_inputs: unknown, context: Seen) => JSON.stringify((await this.code(context)) ?? null);
  }

  /** Runs code as a caller. */
  async run(service: Service, way: Way, as: As | undefined, code: Code): Promise<Outcome> {
    this.code = code;
    if (way.endsWith('Probe')) {
      const method = way === 'readProbe' ? 'GET' : 'POST';
      const { status, body } = await service.request(method, '/v1/probes', { ...(as && { as }) });
      return status === 200 ? { value: JSON.parse(body) } : { error: body.code };
    }
    const all = as ? '' : 'ByAll';
    const document = way === 'Query.asked' ? `{ out: asked${all} }` : `mutation { out: done${all} }`;
    const { data, errors } = await service.graphql(document, as && { as });
    return errors ? { error: errors[0]!.extensions.code } : { value: JSON.parse(data.out) };
  }
}
