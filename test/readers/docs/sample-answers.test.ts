import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { answerSamples } from '../../../src/authoring/mock/index.ts';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { requestsById } from '../../../src/compiler/emit/index.ts';
import { exampleOf } from '../../../src/compiler/json-schema/index.ts';
import { graphqlExamples } from '../../../src/readers/docs/samples/graphql-operations.ts';
import { SampleAnswers } from '../../../src/readers/docs/samples/sample-answers.ts';

async function answersOf(contracts: string) {
  const { model } = await modelContract(contracts);
  const requests = requestsById(model!);
  const answers = new SampleAnswers(model!);
  await answers.record(requests, answerSamples);
  return { model: model!, requests, answers };
}

const pointer = (text: string): string => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));

describe('the answers to the samples of a contract', () => {
  test.each(['contracts', 'test/fixtures/tracker', 'test/fixtures/depot', 'test/fixtures/orchard'])(
    'are as its schemas say, and have what was sent: %s',
    async (contracts) => {
      const { model, requests, answers } = await answersOf(contracts);
      const ajv = addFormats
        .default(new Ajv2020({ strict: false, formats: { decimal: true, int64: true } }))
        .addSchema(model.document, 'contract');
      for (const { operationId, responses } of model.operations) {
        const [, response] = [...responses].find(([status]) => status.startsWith('2'))!;
        const schema = response.content?.['application/json']?.schema as { readonly $ref?: string } | undefined;
        const answer = answers.of(operationId);
        if (schema?.$ref === undefined) continue;
        const name = schema.$ref.split('/').at(-1)!;
        const validate = ajv.getSchema(`contract#/components/schemas/${pointer(name)}`)!;
        validate(answer);
        expect(validate.errors, `${operationId}: ${JSON.stringify(answer)}`).toBeNull();
      }
      for (const { actions } of model.resources)
        for (const action of ['create', 'replace', 'update'] as const) {
          const { operationId } = actions[action] ?? {};
          if (operationId === undefined) continue;
          const sent = Object.entries((requests.get(operationId)?.body?.value ?? {}) as object);
          const answer = answers.of(operationId) as Record<string, unknown>;
          for (const [member, value] of sent)
            if (answer[member] !== undefined) expect(answer[member], `${operationId} ${member}`).toEqual(value);
        }
    },
  );

  test('are those of a server: a new row with initial values, and the row of the path with what was sent over it', async () => {
    const { requests, answers } = await answersOf('contracts');
    const created = answers.of('createOrder');
    expect(created).toMatchObject({ version: 1, status: 'PENDING', total: 0, currency: null });
    expect(created).toHaveProperty('shippingAddress.lines', ["12 St James's Square"]);
    // What an override works out, the contract shows itself.
    expect(answers.of('createItem')).toMatchObject({ version: 1, unitPrice: 1999 });
    const id = requests.get('updateOrder')!.inPath[0]!.given;
    expect(answers.of('getOrder')).toMatchObject({ id, version: 1 });
    expect(created).not.toMatchObject({ id });
    const note = 'Leave it with the neighbours.';
    expect(answers.of('updateOrder')).toMatchObject({ id, note, currency: 'EUR' });
    expect(answers.of('getItem')).toMatchObject({ orderId: id });
    expect(answers.of('replaceUser')).toMatchObject({ version: 2, birthDate: null, newsletterOptIn: false });
  });

  test('are about rows like those that the contract shows', async () => {
    const { model, answers } = await answersOf('contracts');
    const { name, price, delivery } = exampleOf(
      model.document,
      { $ref: '#/components/schemas/Product' },
      'writeOnly',
    ) as Record<string, unknown>;
    expect(answers.of('getProduct')).toMatchObject({ name, price, delivery });
  });

  test('are of rows that refer to each other', async () => {
    const { model, answers, requests } = await answersOf('test/fixtures/tracker');
    const rows = new Map(model.resources.map((one) => [one.key, answers.row(one) as Record<string, unknown>]));
    for (const { key, parent } of model.resources)
      if (parent) expect(rows.get(key)![parent.property], key).toBe(rows.get(parent.resource)!['id']);
    const [, { given }] = requests.get('getComment')!.inPath as [unknown, { given: unknown }];
    expect(answers.of('getComment')).toMatchObject({ id: given, issueId: rows.get('issues')!['id'] });
  });

  test('are the same in each build', async () => {
    const [one, other] = [await answersOf('test/fixtures/tracker'), await answersOf('test/fixtures/tracker')];
    for (const { operationId } of one.model.operations)
      expect(one.answers.of(operationId), operationId).toEqual(other.answers.of(operationId));
  });

  test('are the same over GraphQL', async () => {
    const { model, requests, answers } = await answersOf('contracts');
    const examples = graphqlExamples(model, model.graphql!, requests, answers);
    const answer = (name: string) => examples.operation(examples.roots.find(({ field }) => field.name === name)!).data;
    for (const name of ['createOrder', 'updateOrder', 'replaceOrder'])
      expect(answer(name)).toEqual({ [name]: answers.of(name) });
    expect(answer('order')).toEqual({ order: answers.of('getOrder') });
    expect(answer('orderCreated')).toEqual({ orderCreated: answers.of('createOrder') });
    expect(answer('orders')).toMatchObject({ orders: { nodes: [answers.of('getOrder')] } });
  });

  test('are examples of the schemas where no server answers', async () => {
    const { model } = await modelContract('test/fixtures/cats');
    const { version, ...cat } = new SampleAnswers(model!).of('getCat') as Record<string, unknown>;
    expect(cat).toMatchObject({ id: expect.any(String), name: expect.any(String) });
    expect(version).toEqual(expect.any(Number));
  });
});
