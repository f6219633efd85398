import { type ExecutionResult, execute, parse, validate } from 'graphql';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { Session } from '../../../src/runtime/admission/session.ts';
import { Turns } from '../../../src/runtime/async/turns.ts';
import { admit } from '../../../src/runtime/engine/access/inner-door.ts';
import { FailureLog } from '../../../src/runtime/errors/failure-log.ts';
import { createEndpoint } from '../../../src/runtime/graphql/create-endpoint.ts';
import { Documents } from '../../../src/runtime/graphql/documents/documents.ts';
import { RequestError } from '../../../src/runtime/graphql/endpoint/endpoint.ts';
import type { GraphqlResult } from '../../../src/runtime/graphql/endpoint/request.ts';
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
  const endpoint = createEndpoint({
    log: pino({ level: 'silent' }),
    schema,
    limits: unlimited,
    errors: {},
    failures: new FailureLog(),
    audienceOf: () => undefined,
    turns: new Turns(),
    clock: Date.now,
  });
  const answerTo = async (parameters: GraphqlParameters): Promise<GraphqlResult> => {
    try {
      return await endpoint.execute(endpoint.prepare(parameters as never, session), session);
    } catch (error) {
      if (error instanceof RequestError) return { errors: error.errors };
      throw error;
    }
  };
  const run = async (parameters: GraphqlParameters): Promise<string> => essence((await answerTo(parameters)) as never);

  const executed = async ({ query, operationName, variables }: GraphqlParameters): Promise<ExecutionResult> =>
    execute({
      schema,
      document: parse(query!),
      operationName,
      variableValues: variables as never,
      contextValue: {},
    });
  const expected = async (parameters: GraphqlParameters): Promise<string> =>
    essence((await executed(parameters)) as Parameters<typeof essence>[0]);

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
    ['the default of a variable that is never null', { query: 'query($a: Int! = 4) { echo(counted: $a) }' }],
    ['an empty list for an object', { query: 'query($a: Input) { echo(input: $a) }', variables: { a: [] } }],
    ['an empty list in an object', { query: 'query($a: Input) { echo(input: $a) }', variables: { a: { list: [] } } }],
    [
      'two fields where one is chosen',
      { query: 'query($a: Choice) { echo(choice: $a) }', variables: { a: { text: 'a', number: 1 } } },
    ],
    [
      'one field where one is chosen',
      { query: 'query($a: Choice) { echo(choice: $a) }', variables: { a: { text: 'a' } } },
    ],
    ['a variable named as every object has one', { query: 'query($constructor: Any!) { echo(any: $constructor) }' }],
  ])('answer as graphql-js does: %s', async (_, request) => {
    for (let round = 0; round < 4; round++) expect(await run(request)).toBe(await expected(request));
  });

  it('share fragments without their conditions', async () => {
    const query =
      'query A($a: Boolean!) { __typename ...F @skip(if: $a) } query B { __typename ...F } fragment F on Query { number }';
    const requests = [
      { query, operationName: 'A', variables: { a: true } },
      { query, operationName: 'B' },
    ];
    for (let round = 0; round < 4; round++)
      for (const request of requests) expect(await run(request)).toBe(await expected(request));
  });

  it.each<[string, GraphqlParameters]>([
    ['of another type', { query: 'query($a: Int) { echo(counted: $a) }', variables: { a: 'one' } }],
    ['absent', { query: 'query($a: Int!) { echo(counted: $a) }' }],
    ['with an unknown field', { query: 'query($a: Input) { echo(input: $a) }', variables: { a: { nubmer: 1 } } }],
    ['with several faults', { query: 'query($a: Input) { echo(input: $a) }', variables: { a: { text: 1, inner: 2 } } }],
  ])('report a variable %s in the words of graphql-js, and run nothing', async (_, request) => {
    const wanted = (await executed(request)).errors!.map(({ message }) => message);
    for (let round = 0; round < 4; round++) {
      const { errors, ...rest } = await answerTo(request);
      expect([errors?.map(({ message }) => message), rest]).toEqual([wanted, {}]);
    }
  });

  it('are compiled again only after many others have run', async () => {
    const documents = new Documents(schema, unlimited, true);
    const [first, ...others] = Array.from({ length: 201 }, (__, i) => {
      const text = `{ a${i}: number }`;
      return { text, document: parse(text) };
    });
    expect(documents.compiled(first!)).toBeUndefined();
    const query = documents.compiled(first!);
    expect(query).toBeTypeOf('function');
    expect(documents.compiled(first!)).toBe(query);
    for (const other of others) documents.compiled(other);
    expect(documents.compiled(first!)).toBeUndefined();
  });
});
