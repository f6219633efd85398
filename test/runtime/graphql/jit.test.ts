import fastify, { type FastifyInstance } from 'fastify';
import { type ExecutionResult, execute, parse, validate } from 'graphql';
import mercurius, { type MercuriusOptions } from 'mercurius';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../../src/runtime/admission/session.ts';
import { Turns } from '../../../src/runtime/async/turns.ts';
import { admit } from '../../../src/runtime/engine/access/door.ts';
import { FailureLog } from '../../../src/runtime/errors/failure-log.ts';
import { createEndpoint } from '../../../src/runtime/graphql/create-endpoint.ts';
import { RequestError } from '../../../src/runtime/graphql/endpoint/endpoint.ts';
import { isThorough } from '../../support/thorough.ts';
import type { GraphqlParameters } from '../../support/transports.ts';
import { canonicalJson, echoSchema } from './support/echo-schema.ts';
import { randomDocument } from './support/random-document.ts';

const DOCUMENTS = isThorough ? 1_900 : 120;
const unlimited = {
  depth: 99,
  cost: 1e9,
  tokens: 1e6,
  aliases: 1e6,
  directives: 1e6,
  documentBytes: 1e6,
  subscriptions: 1,
};
const silent = { info() {}, warn() {}, error() {} };
const anonymous = { principal: undefined, requestId: 'r', log: silent };
const session: Session = {
  requestId: 'r',
  log: silent,
  subject: undefined,
  admit: (access) => admit(access, anonymous),
  callerFor: (access) => admit(access, anonymous),
};

/** The first null on the way of an error: which of several below it are reported is up to the executor (GraphQL, 6.4.4). */
function nulledBy(data: unknown, path: readonly (string | number)[]): readonly unknown[] {
  let value = data;
  for (const [depth, key] of path.entries()) {
    if (value === null || value === undefined) return path.slice(0, depth);
    value = (value as Readonly<Record<string | number, unknown>>)[key];
  }
  return path;
}

/** What two executors must agree on. */
function essence({ data, errors = [] }: Pick<ExecutionResult, 'data'> & { errors?: readonly { path?: unknown }[] }) {
  const paths = errors.map(({ path }) => (path ? JSON.stringify(nulledBy(data, path as string[])) : 'the request'));
  const isRefused = paths.length > 0 && paths.every((path) => path === 'the request');
  return canonicalJson({ ...(!isRefused && { data }), errors: [...new Set(paths)].toSorted() });
}

describe('operations that are compiled', () => {
  const schema = echoSchema();
  let app: FastifyInstance;
  let run: (parameters: GraphqlParameters) => Promise<string>;

  beforeAll(async () => {
    app = fastify();
    await app.register(mercurius, {
      schema,
      routes: false,
      jit: 1,
      cache: 100,
      errorFormatter: ({ data, errors }) => ({
        statusCode: 200,
        response: { data: data ?? null, errors: errors as never },
      }),
    } as MercuriusOptions);
    await app.ready();
    const endpoint = createEndpoint({
      app,
      schema,
      limits: unlimited,
      errors: {},
      failures: new FailureLog(),
      audienceOf: () => undefined,
      turns: new Turns(),
      clock: Date.now,
    });
    run = async (parameters) => {
      try {
        return essence((await endpoint.execute(endpoint.prepare(parameters as never, session), session)) as never);
      } catch (error) {
        if (error instanceof RequestError) return essence({ errors: error.errors });
        throw error;
      }
    };
  });
  afterAll(() => app.close());

  const expected = async ({ query, operationName, variables }: GraphqlParameters): Promise<string> => {
    const document = parse(query!);
    const result = await execute({
      schema,
      document,
      operationName,
      variableValues: variables as never,
      contextValue: {},
    });
    return essence(result as Parameters<typeof essence>[0]);
  };

  it('answer as graphql-js does, whatever is asked', async () => {
    let answers = 0;
    let withData = 0;
    const differences: unknown[] = [];
    for (let seed = 1; seed <= DOCUMENTS; seed++) {
      const requests = randomDocument(schema, seed);
      const faults = validate(schema, parse(requests[0]!.query!));
      if (faults.length > 0) continue;
      const wanted = await Promise.all(requests.map(expected));
      // In turn, so that each operation of a document follows another.
      for (let round = 0; round < 3; round++)
        for (const [i, request] of requests.entries()) {
          const answer = await run(request);
          answers += 1;
          if (answer.startsWith('{"data":{')) withData += 1;
          if (answer !== wanted[i]) differences.push({ seed, round, ...request, answer, wanted: wanted[i] });
        }
    }
    expect(differences.slice(0, 3)).toEqual([]);
    expect(answers).toBeGreaterThan(7 * DOCUMENTS);
    expect(withData / answers).toBeGreaterThan(0.5);
  });

  it.each<[string, GraphqlParameters]>([
    [
      'a field selected twice, once under a condition',
      {
        query:
          'query($a: Boolean!) { ... @include(if: $a) { strict { ... { size } bad } } strict { name @skip(if: $a) } }',
        variables: { a: false },
      },
    ],
    [
      'a fragment spread with a condition and without',
      { query: '{ ...F @include(if: false) ...F } fragment F on Query { number }' },
    ],
    ['an absent variable in a list', { query: 'query($a: Int) { echo(list: [1, $a]) }' }],
    ['an absent variable in an object', { query: 'query($a: String) { echo(input: {text: $a}) }' }],
    ['null for a condition', { query: 'query($a: Boolean = true) { number @skip(if: $a) }', variables: { a: null } }],
    ['null where null is not', { query: 'query($a: Int) { echo(counted: $a) }', variables: { a: null } }],
  ])('answer as graphql-js does: %s', async (_, request) => {
    for (let round = 0; round < 4; round++) expect(await run(request)).toBe(await expected(request));
  });
});
