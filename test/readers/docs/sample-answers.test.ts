import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { requestsById } from '../../../src/compiler/emit/sample-requests.ts';
import { graphqlExamples } from '../../../src/readers/docs/samples/graphql-operations.ts';
import { SampleAnswers } from '../../../src/readers/docs/samples/sample-answers.ts';

async function answersOf(contracts: string) {
  const { model } = await modelContract(contracts);
  const requests = requestsById(model!);
  return { model: model!, requests, answers: new SampleAnswers(model!, requests) };
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

  test('are a new row with initial values, and the row of the path with what was sent over it', async () => {
    const { requests, answers } = await answersOf('contracts');
    const created = answers.of('createOrder');
    expect(created).toMatchObject({ version: 1, status: 'PENDING', total: 0, currency: null });
    expect(created).toHaveProperty('shippingAddress.lines', ["12 St James's Square"]);
    expect(answers.of('createProduct')).toMatchObject({ version: 1, status: 'DRAFT', imageUrl: null, unitsSold: '0' });
    // What an override works out, the contract shows itself.
    expect(answers.of('createItem')).toMatchObject({ version: 1, unitPrice: 1999 });
    const id = requests.get('updateOrder')!.inPath[0]!.given;
    expect(answers.of('getOrder')).toMatchObject({ id, version: 3 });
    expect(created).not.toMatchObject({ id });
    const note = 'Leave it with the neighbours.';
    expect(answers.of('updateOrder')).toMatchObject({ id, version: 4, note, currency: 'EUR' });
    expect(answers.of('getItem')).toMatchObject({ orderId: id });
    expect(answers.of('replaceUser')).toMatchObject({ version: 4, birthDate: null, newsletterOptIn: false });
    const tracker = await answersOf('test/fixtures/tracker');
    expect(tracker.answers.of('createTeam')).not.toMatchObject({ createdBy: null });
  });

  test('are of rows that have ids of their own, and refer to each other', async () => {
    const { model, answers, requests } = await answersOf('test/fixtures/tracker');
    const rows = new Map(model.resources.map((one) => [one.key, answers.row(one) as Record<string, unknown>]));
    const created = model.resources.map(({ actions }) => answers.of(actions.create!.operationId) as { id: string });
    const ids = [...rows.values(), ...created].map(({ id }) => id);
    expect(new Set(ids).size).toBe(2 * model.resources.length);
    for (const { key, properties } of model.resources)
      for (const { name, references } of properties)
        if (references) expect(rows.get(key)![name], `${key} ${name}`).toBe(rows.get(references.resource)!['id']);
    const [, { given }] = requests.get('getComment')!.inPath as [unknown, { given: unknown }];
    expect(answers.of('getComment')).toMatchObject({ id: given, issueId: rows.get('issues')!['id'] });
  });

  test('are pages with one entry, which are the only ones and count nothing', async () => {
    const { answers } = await answersOf('test/fixtures/tracker');
    for (const list of ['listIssues', 'listLabelsOfIssue', 'listComments'])
      expect(answers.of(list)).toEqual({
        data: [expect.objectContaining({ version: 1 })],
        page: { nextCursor: null, previousCursor: null },
      });
  });

  test('are the same over GraphQL', async () => {
    const { model, requests, answers } = await answersOf('contracts');
    const examples = graphqlExamples(model, model.graphql!, requests);
    const answer = (name: string) => examples.operation(examples.roots.find(({ field }) => field.name === name)!).data;
    for (const name of ['createOrder', 'updateOrder', 'replaceOrder'])
      expect(answer(name)).toEqual({ [name]: answers.of(name) });
    expect(answer('order')).toEqual({ order: answers.of('getOrder') });
    expect(answer('orderCreated')).toEqual({ orderCreated: answers.of('createOrder') });
    expect(answer('orders')).toMatchObject({ orders: { nodes: [answers.of('getOrder')] } });
  });
});
