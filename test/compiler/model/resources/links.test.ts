import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ContractFiles } from '../../../../src/authoring/sync/contract-files.ts';
import { synchronise } from '../../../../src/authoring/sync-contract.ts';
import { buildModel } from '../../../../src/compiler/build-model.ts';
import { changesBetween } from '../../../../src/compiler/gate/changes/compare.ts';
import { readEdition } from '../../../../src/compiler/gate/changes/edition.ts';
import { readContract } from '../../../../src/compiler/read/read-contract.ts';
import { planResolvers, planRoutes } from '../../../../src/descriptor/wiring-plan.ts';
import { readBlocks } from '../../../docs/support/blocks.ts';
import { type Edit, editedFolder } from '../../../support/edited-contract.ts';

const built = (fixture: string, edits: readonly Edit[] = []) =>
  editedFolder(fixture, edits, async (folder) => buildModel(await readContract(folder)));

const FIELD: Edit = ['schema.graphql', / {2}"Give an issue a label"\n {2}linkIssueLabel[^\n]*\n/g, ''];

describe('a link', () => {
  it('is written as docs/reference/sub-resources.md has it', async () => {
    const { model } = await built('tracker');
    const [block] = readBlocks().filter(
      ({ markers }) => markers['tested in'] === 'test/compiler/model/resources/links.test.ts',
    );
    const { paths } = parse(block!.text);
    for (const [path, { parameters: _, ...operations }] of Object.entries<Record<string, object>>(paths))
      expect(model!.document.paths[path]).toMatchObject(operations);
  });

  it('is bound by its operation in both protocols, with the parameters of its path', async () => {
    const { model } = await built('posts');
    const { rest, resources, graphql } = model!;
    const binding = { bind: 'unlink', resource: 'posts.postTags', by: ['unlinkPostTag'] };
    expect(planRoutes(rest, resources).get('unlinkPostTag')).toEqual(binding);
    const { descriptor } = graphql!;
    expect(planResolvers(descriptor, resources).types.get('Mutation')?.get('unlinkPostTag')).toEqual(binding);
    expect(descriptor.fields['Mutation.linkPostTag']).toMatchObject({ params: { postId: 'post_id', slug: 'slug' } });
  });

  it('declares the errors that it answers, and 409 only where a joining row may be hidden', async () => {
    const codesOf = async (fixture: string, edits: readonly Edit[] = []) => {
      const { model } = await built(fixture, edits);
      return (id: string) => model!.operations.find(({ operationId }) => operationId === id)!.errorCodes;
    };
    const codes = await codesOf('posts');
    expect(codes('linkBookmark')).toContain('ALREADY_EXISTS');
    expect(codes('linkPostTag')).not.toContain('ALREADY_EXISTS');
    for (const id of ['linkPostTag', 'unlinkPostTag']) {
      expect(codes(id)).toEqual(expect.arrayContaining(['NOT_FOUND', 'FORBIDDEN', 'VALIDATION_FAILED']));
      for (const code of ['PRECONDITION_FAILED', 'CONFLICT', 'IDEMPOTENCY_KEY_REUSED', 'REFERENCE_NOT_FOUND'])
        expect(codes(id), code).not.toContain(code);
    }
  });

  it('is missed in GraphQL, with what to write', async () => {
    const { findings, parity } = await built('tracker', [FIELD]);
    const errors = findings.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ rule, location: { pointer } }) => [rule, pointer])).toEqual([
      ['parity-action', '/paths/~1issues~1{issueId}~1labels~1{labelId}/put'],
    ]);
    const row = parity.find(({ verdict }) => verdict === 'different')!;
    expect(row.graphql.expected).toBe(
      'Mutation.linkIssueLabel(issueId: ID!, labelId: ID!): Boolean! @auth(scopes: [])',
    );
  });

  it('has the access of its operation in GraphQL, and is always true', async () => {
    const { parity } = await built('tracker', [
      [
        'schema.graphql',
        '  linkIssueLabel(issueId: ID!, labelId: ID!): Boolean! @auth(scopes: [])',
        '  linkIssueLabel(issueId: ID!): Boolean',
      ],
    ]);
    const different = parity.filter(({ verdict }) => verdict === 'different').map(({ aspect, name }) => [aspect, name]);
    expect(different).toEqual(
      expect.arrayContaining([
        ['argument', 'Mutation.linkIssueLabel(labelId:)'],
        ['return', 'Mutation.linkIssueLabel'],
        ['scope', 'Mutation.linkIssueLabel'],
      ]),
    );
  });

  it('is derived by sync', async () => {
    const written = await editedFolder('tracker', [FIELD], async (folder) => {
      const files = await ContractFiles.open(folder);
      await synchronise(files, { contracts: folder });
      return await files.read('schema.graphql');
    });
    expect(written).toContain(
      '  "Give an issue a label"\n  linkIssueLabel(issueId: ID!, labelId: ID!): Boolean! @auth(scopes: [])',
    );
  });

  it('breaks callers when another resource joins its rows', async () => {
    const edition = async (edits: readonly Edit[]) => {
      const { edition: read, findings } = await editedFolder('posts', edits, readEdition);
      if (!read) throw new Error(findings.map(({ message }) => message).join('\n'));
      return read;
    };
    const turned: Edit = [
      'openapi.yaml',
      'x-through: { resource: Sequel, from: post_id, to: next_id }',
      'x-through: { resource: Sequel, from: next_id, to: post_id }',
    ];
    const changes = await changesBetween(await edition([]), await edition([turned]));
    expect(changes.filter(({ impact }) => impact === 'major').map(({ rule }) => rule)).toEqual([
      'through-changed',
      'through-changed',
    ]);
  });

  it('is offered to agents by its own `x-mcp` alone', async () => {
    const offers: Edit = [
      'openapi.yaml',
      /^info:\n/gm,
      'info:\n  x-mcp: { offer: [create, delete], budget: 100000 }\n',
    ];
    const own: Edit = [
      'openapi.yaml',
      '      operationId: linkIssueLabel\n',
      '      operationId: linkIssueLabel\n      x-mcp: true\n',
    ];
    const named = async (edits: readonly Edit[]) => {
      const { model } = await built('tracker', edits);
      return model!.tools!.tools.filter(({ operationId }) => /^(un)?link/.test(operationId));
    };
    expect(await named([offers])).toEqual([]);
    const [tool, ...others] = await named([offers, own]);
    expect(others).toEqual([]);
    expect(tool).toMatchObject({
      name: 'linkIssueLabel',
      inputSchema: { required: ['issueId', 'labelId'] },
      annotations: { readOnlyHint: false, idempotentHint: true },
    });
  });
});
