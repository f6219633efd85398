import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ContractFiles } from '../../../../src/authoring/sync/contract-files.ts';
import { synchronise } from '../../../../src/authoring/sync-contract.ts';
import { buildModel } from '../../../../src/compiler/build-model.ts';
import { readContract } from '../../../../src/compiler/read/read-contract.ts';
import { indexesOf } from '../../../../src/descriptor/indexes.ts';
import { planResolvers, planRoutes } from '../../../../src/descriptor/wiring-plan.ts';
import { readBlocks } from '../../../docs/support/blocks.ts';
import { type Edit, editedFolder } from '../../../support/edited-contract.ts';

const FIELD = /\n {2}"The labels that it has\."\n {2}labels\([\s\S]*?sizedFields: \["edges", "nodes"\]\)/g;
const built = (edits: readonly Edit[] = []) =>
  editedFolder('tracker', edits, async (folder) => buildModel(await readContract(folder)));

describe('a list through another resource', () => {
  it('is said as docs/reference/sub-resources.md says', async () => {
    const { model } = await built();
    const [block] = readBlocks().filter(
      ({ markers }) => markers['tested in'] === 'test/compiler/model/resources/throughs.test.ts',
    );
    const path = '/issues/{issueId}/labels';
    const { parameters: _, responses, ...operation } = parse(block!.text).paths[path].get;
    const { description: __, ...answer } = responses['200'];
    expect(model!.document.paths[path]!.get).toMatchObject({ ...operation, responses: { '200': answer } });
  });

  it('is bound by its operation in both protocols, and has indexes from either end', async () => {
    const { model } = await built([
      ['openapi.yaml', '      x-unique: [[issueId, labelId]]\n', ''],
      ['openapi.yaml', /^ {2}\/issues\/\{issueId\}\/labels\/\{labelId\}:[\s\S]*?(?=^ {2}\/labels)/gm, ''],
      ['schema.graphql', / {2}"[^"]+"\n {2}(?:un)?linkIssueLabel[^\n]*\n/g, ''],
    ]);
    const { rest, resources, graphql } = model!;
    const binding = { bind: 'through', resource: 'labels', by: ['listLabelsOfIssue'] };
    expect(planRoutes(rest, resources).get('listLabelsOfIssue')).toEqual(binding);
    expect(planResolvers(graphql!.descriptor, resources).types.get('Issue')?.get('labels')).toEqual(binding);
    const join = resources.find(({ key }) => key === 'issueLabels')!;
    const indexes = indexesOf(join).map(({ columns }) => columns.join());
    expect(indexes).toEqual(
      expect.arrayContaining(['tenant_id,issue_id,label_id,id', 'tenant_id,label_id,issue_id,id']),
    );
  });

  it('is missed in GraphQL, with what to write', async () => {
    const { findings, parity } = await built([['schema.graphql', FIELD, '']]);
    const errors = findings.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ rule, location: { pointer } }) => [rule, pointer])).toEqual([
      ['parity-action', '/paths/~1issues~1{issueId}~1labels/get'],
    ]);
    const row = parity.find(({ verdict }) => verdict === 'different')!;
    expect(row).toMatchObject({ aspect: 'action', name: 'Issue.labels' });
    expect(row.graphql.expected).toContain('Issue.labels(first: Int = 20, after: String');
  });

  it('has the access of its operation in GraphQL, too', async () => {
    const open =
      "security: [{}, { bearer: [] }]\n      x-through: IssueLabel\n      parameters:\n        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 50, default: 20 } }\n        - { name: cursor, in: query, schema: { type: string, minLength: 1, maxLength: 2048 } }\n        - { name: count, in: query, schema: { type: boolean, default: false } }\n        - { name: filter, in: query, content: { application/json: { schema: { $ref: '#/components/schemas/LabelFilter' } } } }";
    const { parity } = await built([['openapi.yaml', open, open.replace('{}, ', '')]]);
    const different = parity.filter(({ verdict }) => verdict === 'different');
    expect(different.map(({ aspect, name }) => [aspect, name])).toEqual([['scope', 'Issue.labels']]);
  });

  it('is derived by sync', async () => {
    const written = await editedFolder('tracker', [['schema.graphql', FIELD, '']], async (folder) => {
      const files = await ContractFiles.open(folder);
      await synchronise(files, { contracts: folder });
      return await files.read('schema.graphql');
    });
    const issue = /\ntype Issue \{[\s\S]*?\n\}/.exec(written ?? '')?.[0];
    expect(issue).toMatch(/"List the labels of an issue"\n {2}labels\([\s\S]*?\): LabelConnection!/);
  });
});
