import { describe, expect, it } from 'vitest';
import { prove } from '../../../src/proving/proof/prove.ts';
import { formatDifference } from '../../../src/proving/proof/record.ts';
import { runHere } from '../../support/command.ts';
import { LABORATORIES, laboratory } from '../../support/laboratory.ts';
import { oneIn } from '../../support/thorough.ts';

describe('the proof of a contract whose tenants are rows', () => {
  it.each(oneIn(2, LABORATORIES))('sees every operation succeed: %s', async (_, edits) => {
    const contract = await laboratory(edits);
    const record = await prove({ contract, samples: 1 });
    expect(record.differences.map(formatDifference).join('\n\n')).toBe('');
    expect(record.unmet).toEqual([]);
    for (const { operationId } of contract.rest.operations)
      expect(record.successes.succeeded.has(operationId), operationId).toBe(true);
    expect(record.succeeded + record.refused).toBe(record.run);
  });

  it('says of what nobody can make that the contract makes it impossible', async () => {
    const contract = await laboratory([
      [
        'openapi.yaml',
        '        countryId: {type: string, format: uuid, x-references: Country}',
        '        countryId: {type: string, format: uuid, x-references: Country}\n        headId: {type: string, format: uuid, x-references: Person}',
      ],
      ['openapi.yaml', 'updatedAt, name, countryId]', 'updatedAt, name, countryId, headId]'],
      [
        'openapi.yaml',
        '        countryId: {type: string, format: uuid}\n',
        '        countryId: {type: string, format: uuid}\n        headId: {type: string, format: uuid}\n',
      ],
      ['openapi.yaml', 'required: [name, countryId]', 'required: [name, countryId, headId]'],
      [
        'schema.graphql',
        /type Laboratory \{/g,
        'type Laboratory {\n  headId: ID!\n  head: Person @auth(scopes: ["lab:use"])',
      ],
      ['schema.graphql', 'input LaboratoryInput {', 'input LaboratoryInput {\n  headId: ID!'],
      ['schema.graphql', 'input LaboratoryPatch {', 'input LaboratoryPatch {\n  headId: ID'],
    ]);
    const { unmet, failed } = await prove({ contract, samples: 1 });
    expect(failed).toEqual([]);
    expect(unmet.find(({ operationId }) => operationId === 'createPerson')?.excuse).toMatch(
      /^the contract lets nobody make the first (?:Person|Laboratory), which must refer to what needs one$/,
    );
  });
});

describe('npm run proof', () => {
  it('counts agreements of successes and of refusals apart, and names nothing where all succeeded', async () => {
    const { code, stdout } = await runHere('scripts/proof.ts', ['--contracts', 'test/fixtures/cats', '--samples', '1']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\n\d+ steps, \d+ successes agreed, \d+ refusals agreed, 0 differed; /);
    expect(stdout).not.toContain('Never succeeded');
  });
});

it('prove names the operations that nobody succeeds in, with what they were answered', async () => {
  const record = await prove({
    contract: await laboratory(),
    samples: 1,
    defect: {
      name: 'nobody may update',
      isEverywhere: true,
      options: ({ contract, ...options }) => {
        const access = { anyOf: [{ schemes: [{ name: 'bearer', scopes: ['nobody:has'] }] }] };
        const closed = contract.resources.map((one) =>
          one.key === 'people'
            ? { ...one, actions: { ...one.actions, update: { ...one.actions.update!, access } } }
            : one,
        );
        const operations = contract.rest.operations.map((one) =>
          one.operationId === 'updatePerson' ? { ...one, access } : one,
        );
        return { ...options, contract: { ...contract, resources: closed, rest: { ...contract.rest, operations } } };
      },
    },
  });
  expect(record.failed).toEqual([
    { operationId: 'updatePerson', reason: expect.stringMatching(/FORBIDDEN \(\d+\)/), excuse: undefined },
  ]);
});
