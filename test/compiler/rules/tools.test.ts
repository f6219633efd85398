import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { tokensOf } from '../../../src/compiler/model/tools/index.ts';
import { type Edit, editedFolder } from '../../support/edited-contract.ts';
import { withFolder } from '../../support/folder.ts';
import type { Json } from '../../support/storefront.ts';

const OFFER: Edit = ['openapi.yaml', /^info: \{/gm, 'info: { x-mcp: { offer: [read, create, custom] },'];

const findings = async (fixture: string, edits: readonly Edit[]) =>
  (await editedFolder(fixture, edits, modelContract)).findings
    .filter(({ rule, severity }) => rule.startsWith('mcp-') || severity === 'error')
    .map(({ rule, message, location }) => `${rule} ${location.pointer}: ${message}`);

const tools = async (edits: readonly Edit[]) =>
  (await editedFolder('journal', edits, modelContract)).model?.tools?.tools.map(({ name }) => name);

describe('x-mcp', () => {
  it('offers groups, and operations on their own', async () => {
    expect(await tools([])).toBeUndefined();
    const all = await tools([OFFER]);
    expect(all).toEqual(expect.arrayContaining(['listDiaries', 'getDiary', 'createDiary']));
    expect(all).not.toContain('deleteDiary');
    const one = await tools([
      OFFER,
      ['openapi.yaml', 'operationId: deleteDiary', 'operationId: deleteDiary\n      x-mcp: { name: burn }'],
      ['openapi.yaml', 'operationId: createDiary', 'operationId: createDiary\n      x-mcp: false'],
    ]);
    expect(one).toContain('burn');
    expect(one).not.toContain('createDiary');
  });

  it('refuses names that hosts do not accept, or that two tools have', async () => {
    expect(
      await findings('journal', [
        OFFER,
        ['openapi.yaml', 'operationId: getDiary', 'operationId: getDiary\n      x-mcp: { name: "get diary" }'],
        ['openapi.yaml', 'operationId: createDiary', 'operationId: createDiary\n      x-mcp: { name: listDiaries }'],
      ]),
    ).toEqual([
      'mcp-tool-name /paths/~1diaries/post/x-mcp: The tool `listDiaries` exists already: it calls `listDiaries`.',
      'mcp-tool-name /paths/~1diaries~1{diaryId}/get/x-mcp: `get diary` is not a name of a tool.',
    ]);
  });

  it('refuses an operation that nobody can offer, and one of a contract that offers nothing', async () => {
    const own: Edit = ['openapi.yaml', 'operationId: getDiary', 'operationId: getDiary\n      x-mcp: true'];
    expect(await findings('journal', [own])).toEqual([
      'mcp-not-offered /paths/~1diaries~1{diaryId}/get/x-mcp: `getDiary` cannot be offered to agents: `info` has no `x-mcp`.',
    ]);
  });

  it('refuses more tokens than it allows, and names the dearest', async () => {
    const [finding] = await findings('journal', [['openapi.yaml', /^info: \{/gm, 'info: { x-mcp: { budget: 100 },']]);
    expect(finding).toMatch(
      /^mcp-budget \/info\/x-mcp: The \d+ tools take \d+ tokens, and 100 are allowed\. The dearest are `/,
    );
    expect(finding?.match(/`\w+` \(\d+\)/g)).toHaveLength(5);
  });

  it('refuses values of another shape', async () => {
    const [finding] = await findings('journal', [['openapi.yaml', /^info: \{/gm, 'info: { x-mcp: { offer: [all] },']]);
    expect(finding).toMatch(/^extension-value \/info\/x-mcp/);
  });
});

describe('the schema of a tool', () => {
  const inputOf = async (property: string): Promise<unknown> => {
    const tag: Edit = [
      'openapi.yaml',
      /( +)PatientInput:\n/g,
      `$1Tag: { type: object, properties: { name: { type: string }, within: ${property} } }\n$1PatientInput:\n`,
    ];
    const offer: Edit = ['openapi.yaml', /^info:\n/gm, 'info:\n  x-mcp: { offer: [custom] }\n'];
    const { model } = await editedFolder('clinic', [offer, tag, ['openapi.yaml', /^paths:\n/gm, TAGS]], modelContract);
    const tool = model?.tools?.tools.find(({ name }) => name === 'tag');
    return Object(tool?.inputSchema['properties']).input;
  };
  const TAGS = `paths:
  /tags:
    post:
      operationId: tag
      summary: Tag
      security: []
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Tag' } } } }
      responses: { '204': { description: Done. } }
`;
  const REF = "{ $ref: '#/components/schemas/Tag' }";

  it.each([
    ['a reference', REF],
    ['a reference, or null', `{ anyOf: [${REF}, { type: 'null' }] }`],
    ['a reference beside words', `{ description: Above., allOf: [${REF}] }`],
    ['entries', `{ type: array, items: ${REF} }`],
  ])('is shown once more within itself, by %s', async (_, property) => {
    const text = JSON.stringify(await inputOf(property));
    expect(text.match(/"name"/g)?.length).toBeLessThanOrEqual(2);
    expect(text).toContain('"within"');
  });
});

describe('the tools of the storefront', () => {
  const storefront = async (groups: string) => {
    const contracts = join(import.meta.dirname, '../../../contracts');
    const { model } = await withFolder({}, async (folder) => {
      await cp(contracts, folder, { recursive: true });
      const file = join(folder, 'openapi.yaml');
      const text = await readFile(file, 'utf8');
      await writeFile(file, text.replace(/offer: \[.*?\]/, `offer: [${groups}]`));
      return modelContract(folder);
    });
    return model!.tools!.tools;
  };

  it.each([
    ['read', 3_000],
    ['read, create, update, delete, custom', 8_000],
  ])('of %s take at most %i tokens', async (groups, most) => {
    const tools = await storefront(groups);
    expect(tools.length).toBeGreaterThan(8);
    expect(tokensOf(tools)).toBeLessThanOrEqual(most);
  });

  it('have each fact once: no words that only repeat a name, no spelling of a query string, one format of a range', async () => {
    const tools = await storefront('read');
    const properties = (name: string) => tools.find((one) => one.name === name)?.inputSchema['properties'] as Json;
    expect(properties('getReview').productId).toEqual({ type: 'string', format: 'uuid' });
    expect(properties('listOrders').createdAt).toEqual({
      type: 'object',
      properties: {
        gt: { type: 'string', format: 'date-time' },
        ...{ gte: { type: 'string' }, lt: { type: 'string' }, lte: { type: 'string' } },
      },
      description: 'Only entries created in this range.',
    });
    const { limit, cursor, count, sort } = properties('listUsers');
    expect(limit).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 20 });
    expect(cursor.description).toBe('`page.nextCursor` of the page before.');
    expect(count.description).toBe('Adds `page.totalCount`.');
    expect(sort.description).toBe('`-` is descending; the default is by id.');
    expect(properties('listOrders').sort).toMatchObject({ default: ['-createdAt'], description: '`-` is descending.' });
    expect(properties('totalOrders').sort.description).toBe('`-` is descending; the default is by group.');
    expect(properties('listUsers').email.description).toBe('Only the user with this e-mail address.');
  });

  it('spell the names of pages as the document does', async () => {
    const { model } = await editedFolder('wares', [], modelContract);
    const tool = model!.tools!.tools.find(({ name }) => name === 'listWares');
    const { cursor, count } = tool!.inputSchema['properties'] as Json;
    expect([cursor.description, count.description]).toEqual([
      '`page.next_cursor` of the page before.',
      'Adds `page.total_count`.',
    ]);
  });
});
