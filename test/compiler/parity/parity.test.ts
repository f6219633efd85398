import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { formatFindings } from '../../../src/compiler/findings/report.ts';
import type { Modelled } from '../../../src/compiler/model/model.ts';
import { formatParity } from '../../../src/compiler/parity/format-parity.ts';
import { withFolder } from '../../support/folder.ts';

const LIBRARY = join(import.meta.dirname, '../../fixtures/library');
const REST = 'openapi.yaml';
const SDL = 'library.graphql';

/** The contract of the library with a text of one of its files replaced, once. */
function changed(file: string, from: string, to: string): Promise<Modelled> {
  return withFolder({}, async (folder) => {
    cpSync(LIBRARY, folder, { recursive: true });
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
    writeFileSync(path, text.replace(from, to));
    return modelContract(folder);
  });
}

/** What is changed, in which file, and the rule and the fact that tell of it. */
type Drift = readonly [what: string, file: string, from: string, to: string, rule: string, fact: string];

const drifts: readonly Drift[] = [
  [
    'an action is missing in GraphQL',
    SDL,
    '  deleteAuthor(id: ID!, ifVersion: Int): ID! @auth(scopes: ["library:write"])\n',
    '',
    'action',
    'delete',
  ],
  [
    'an action is missing in REST',
    SDL,
    '  updateNote(',
    '  deleteNote(id: ID!, ifVersion: Int): ID! @auth(scopes: ["notes:write"])\n  updateNote(',
    'action',
    'delete',
  ],
  [
    'a field is missing',
    SDL,
    '  country: String\n  born: Date\n}\n\ninput AuthorInput',
    '  born: Date\n}\n\ninput AuthorInput',
    'field',
    'Author.country',
  ],
  [
    'a field that REST lacks',
    SDL,
    '  depthMm: Int\n}\n\ntype Paper',
    '  depthMm: Int\n  colour: String\n}\n\ntype Paper',
    'field',
    'Size.colour',
  ],
  [
    'a field of another type',
    SDL,
    '  megabytes: Float!\n}\n\nunion',
    '  megabytes: String!\n}\n\nunion',
    'field',
    'Digital.megabytes',
  ],
  [
    'a field that may not be null',
    SDL,
    '  weight: Float\n  isReference: Boolean!',
    '  weight: Float!\n  isReference: Boolean!',
    'field',
    'Book.weight',
  ],
  [
    'a field that may be null',
    SDL,
    '  name: String!\n  country: String\n  born: Date\n}\n\ninput AuthorInput',
    '  name: String\n  country: String\n  born: Date\n}\n\ninput AuthorInput',
    'field',
    'Author.name',
  ],
  ['a list whose entries may be null', SDL, '  tags: [String!]!', '  tags: [String]!', 'field', 'Book.tags'],
  ['an int64 as Int', SDL, '  printed: BigInt!', '  printed: Int!', 'field', 'Book.printed'],
  ['an integer beyond 32 bits as Int', SDL, '  lentCount: SafeInt!', '  lentCount: Int!', 'field', 'Book.lentCount'],
  [
    'a date-time as String',
    SDL,
    '  publishedAt: DateTime\n  tags: [String!]!',
    '  publishedAt: String\n  tags: [String!]!',
    'field',
    'Book.publishedAt',
  ],
  [
    'a decimal as Float',
    SDL,
    '  price: Decimal!\n  printed: BigInt!',
    '  price: Float!\n  printed: BigInt!',
    'field',
    'Book.price',
  ],
  ['an id as String', SDL, '  memberId: ID!\n', '  memberId: String!\n', 'field', 'Loan.memberId'],
  ['an enum as String', SDL, '  status: BookStatus!\n', '  status: String!\n', 'field', 'Book.status'],
  ['an enum value is missing', SDL, '  RETIRED\n', '', 'enum', 'BookStatus.RETIRED'],
  ['an enum value that REST lacks', SDL, '  RETIRED\n', '  RETIRED\n  LOST\n', 'enum', 'BookStatus.LOST'],
  [
    'a field of an input is missing',
    SDL,
    '  name: String!\n  country: String\n  born: Date\n}\n\ninput AuthorPatch',
    '  name: String!\n  born: Date\n}\n\ninput AuthorPatch',
    'input',
    'AuthorInput.country',
  ],
  [
    'a field of an input that REST refuses',
    SDL,
    'input NoteInput {\n',
    'input NoteInput {\n  colour: String\n',
    'input',
    'NoteInput.colour',
  ],
  [
    'an input that demands more',
    SDL,
    'input LoanInput {\n  memberId: ID\n',
    'input LoanInput {\n  memberId: ID!\n',
    'input',
    'LoanInput.memberId',
  ],
  [
    'an input that demands less',
    SDL,
    'input NoteInput {\n  text: String!',
    'input NoteInput {\n  text: String',
    'input',
    'NoteInput.text',
  ],
  [
    'a patch that demands',
    SDL,
    'input NotePatch {\n  text: String\n',
    'input NotePatch {\n  text: String!\n',
    'input',
    'NotePatch.text',
  ],
  [
    'another default',
    SDL,
    'isReference: Boolean = false',
    'isReference: Boolean = true',
    'default',
    'BookInput.isReference',
  ],
  [
    'a default is missing',
    SDL,
    'isReference: Boolean = false',
    'isReference: Boolean',
    'default',
    'BookInput.isReference',
  ],
  [
    'a filter is missing',
    SDL,
    '  isReference: Boolean\n  title: TextFilter',
    '  title: TextFilter',
    'filter',
    'Query.books isReference',
  ],
  [
    'a filter that REST lacks',
    SDL,
    'input LoanFilter {\n',
    'input LoanFilter {\n  dueOn: Date\n',
    'filter',
    'Query.loans dueOn',
  ],
  [
    'a filter by one value instead of several',
    SDL,
    '  status: [BookStatus!]',
    '  status: BookStatus',
    'filter',
    'Query.books status',
  ],
  [
    'an operator of a filter is missing',
    SDL,
    'input IntRange {\n  gt: Int\n',
    'input IntRange {\n',
    'filter',
    'Query.books pages',
  ],
  ['a filter of another type', SDL, '  pages: IntRange', '  pages: BigIntRange', 'filter', 'Query.books pages'],
  ['an order is missing', SDL, '  BORN_DESC\n', '', 'sort', 'Query.authors BORN_DESC'],
  [
    'an order that REST lacks',
    SDL,
    '  BORN_DESC\n',
    '  BORN_DESC\n  COUNTRY_ASC\n',
    'sort',
    'Query.authors COUNTRY_ASC',
  ],
  [
    'another default order',
    SDL,
    'sort: [AuthorSort!])',
    'sort: [AuthorSort!] = [NAME_ASC])',
    'sort-default',
    'Query.authors',
  ],
  ['another page size', SDL, 'authors(first: Int = 20', 'authors(first: Int = 25', 'page-default', 'Query.authors'],
  [
    'another largest page',
    SDL,
    'AuthorConnection! @listSize(assumedSize: 100',
    'AuthorConnection! @listSize(assumedSize: 50',
    'page-maximum',
    'Query.authors',
  ],
  ['another largest page, in REST', REST, 'maximum: 100', 'maximum: 99', 'page-maximum', 'Query.authors'],
  [
    'a scope is missing',
    SDL,
    'createComment(noteId: ID!, input: CommentInput!): Comment! @auth(scopes: ["notes:write"])',
    'createComment(noteId: ID!, input: CommentInput!): Comment! @auth(scopes: [])',
    'scope',
    'Mutation.createComment',
  ],
  [
    'an alternative is missing',
    SDL,
    'createNote(input: NoteInput!): Note! @auth(scopes: ["notes:write"]) @auth(scopes: ["library:write"])',
    'createNote(input: NoteInput!): Note! @auth(scopes: ["notes:write"])',
    'scope',
    'Mutation.createNote',
  ],
  ['open to anybody', SDL, 'loan(id: ID!): Loan @auth(scopes: [])', 'loan(id: ID!): Loan', 'scope', 'Query.loan'],
  [
    'closed to most',
    SDL,
    'author(id: ID!): Author\n',
    'author(id: ID!): Author @auth(scopes: ["library:write"])\n',
    'scope',
    'Query.author',
  ],
  [
    'a connection that is open to anybody',
    SDL,
    'ExtensionConnection! @listSize(assumedSize: 100, slicingArguments: ["first"], sizedFields: ["edges", "nodes"]) @auth(scopes: [])',
    'ExtensionConnection! @listSize(assumedSize: 100, slicingArguments: ["first"], sizedFields: ["edges", "nodes"])',
    'scope',
    'Loan.extensions',
  ],
  ['a reference that is open to anybody', SDL, 'loan: Loan @auth(scopes: [])', 'loan: Loan', 'scope', 'Extension.loan'],
  [
    'a subscription that is open to anybody',
    SDL,
    'loanCreated(bookId: ID): Loan! @auth(scopes: [])',
    'loanCreated(bookId: ID): Loan!',
    'scope',
    'Subscription.loanCreated',
  ],
  ['a reference is missing', SDL, '  editor: Author\n', '', 'reference', 'Book.editor'],
  [
    'a type of a union is missing',
    SDL,
    'union Edition = Paper | Digital',
    'union Edition = Paper',
    'union',
    'Edition Digital',
  ],
  ['a variant of an input is missing', SDL, '  digital: DigitalInput\n', '', 'union', 'EditionInput.digital'],
  [
    'deprecated in GraphQL alone',
    SDL,
    'author(id: ID!): Author\n',
    'author(id: ID!): Author @deprecated\n',
    'deprecation',
    'Query.author',
  ],
  [
    'deprecated in REST alone',
    REST,
    '      operationId: getAuthor\n',
    '      operationId: getAuthor\n      deprecated: true\n',
    'deprecation',
    'Query.author',
  ],
  [
    'a custom field that REST lacks',
    SDL,
    '  author(id: ID!): Author\n',
    '  author(id: ID!): Author\n  oldest: Author\n',
    'custom',
    'Query.oldest',
  ],
  [
    'a property of REST that GraphQL lacks',
    REST,
    '        name: { type: string',
    '        nickname: { type: string }\n        name: { type: string',
    'field',
    'Author.nickname',
  ],
  [
    'a declared difference that is none',
    SDL,
    '  country: String\n  born: Date\n}\n\ninput AuthorInput',
    '  country: String @parity(rest: ABSENT, because: "Why not.")\n  born: Date\n}\n\ninput AuthorInput',
    'field',
    'Author.country',
  ],
];

describe('the parity gate', () => {
  it.each(drifts)('finds %s', async (_what, file, from, to, rule, fact) => {
    const { findings, model } = await changed(file, from, to);
    expect(model).toBeUndefined();
    const found = findings.filter((one) => one.rule === `parity-${rule}` && one.message.includes(`\`${fact}\``));
    expect(found, formatFindings(findings)).not.toEqual([]);
    const [{ severity, location, also, hint }] = found as [(typeof found)[number]];
    expect(severity).toBe('error');
    expect([location.file, also?.file].toSorted()).toEqual([SDL, REST].toSorted());
    expect(location.line + also!.line).toBeGreaterThan(2);
    expect(hint).toMatch(/\S/);
  });

  it.each(['contracts', 'test/fixtures/library', 'test/fixtures/cats'])('passes %s, fact by fact', async (folder) => {
    const { findings, parity } = await modelContract(folder);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(parity.length).toBeGreaterThan(90);
    expect(new Set(parity.map(({ verdict }) => verdict))).toEqual(new Set(['same']));
  });

  it('prints both places', async () => {
    const { findings } = await changed(SDL, '  lentCount: SafeInt!', '  lentCount: Int!');
    const text = formatFindings(findings);
    expect(text).toMatch(/openapi\.yaml:\d+:\d+ {2}error {2}parity-field/);
    expect(text).toMatch(/and library\.graphql:\d+:\d+/);
    expect(text).toContain('`Book.lentCount`: REST says `SafeInt!`, GraphQL says `Int!`.');
  });

  it('lets a difference stand that is declared with its reason, and shows it', async () => {
    const custom = '  oldest: Author @parity(rest: ABSENT, because: "The start page asks for it.")\n';
    const { findings, parity } = await changed(
      SDL,
      '  author(id: ID!): Author\n',
      `  author(id: ID!): Author\n${custom}`,
    );
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(parity.filter(({ verdict }) => verdict === 'declared')).toMatchObject([
      { aspect: 'custom', name: 'Query.oldest', graphql: { because: 'The start page asks for it.' } },
    ]);
    expect(formatParity(parity)).toContain('declared: The start page asks for it.');
  });

  it('lets REST have what GraphQL deliberately lacks', async () => {
    const nickname = '        nickname: { type: string, x-parity: { graphql: absent, because: For the archive. } }\n';
    const { findings } = await changed(REST, '        name: { type: string', `${nickname}        name: { type: string`);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('lets a list of REST have a filter that GraphQL deliberately lacks', async () => {
    const reason = 'x-parity: { graphql: absent, because: For the archive. }';
    const filter = `{ name: born, in: query, ${reason}, schema: { type: string, format: date } }`;
    const before = '        - { name: country, in: query';
    const { findings, parity } = await changed(REST, before, `        - ${filter}\n${before}`);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(parity.filter(({ verdict }) => verdict === 'declared')).toMatchObject([{ aspect: 'filter' }]);
    const without = await changed(REST, before, `        - ${filter.replace(`${reason}, `, '')}\n${before}`);
    expect(without.findings).toMatchObject([{ rule: 'parity-filter' }]);
    const unreasoned = await changed(
      REST,
      before,
      `        - ${filter.replace(', because: For the archive.', '')}\n${before}`,
    );
    expect(unreasoned.findings.map(({ rule }) => rule)).toContain('extension-value');
  });

  it('tells what is the same in few words, and everything when asked to', async () => {
    const { parity } = await modelContract('test/fixtures/cats');
    const brief = formatParity(parity);
    expect(brief).toMatch(/cats\n {2}the same: action 6, return 6/);
    expect(brief).toMatch(/\d+ facts: \d+ the same, 0 declared, 0 different$/);
    const all = formatParity(parity, { all: true });
    expect(all).toContain('page-maximum');
    expect(all.split('\n').length).toBeGreaterThan(parity.length);
  });

  it('has nothing to compare in a contract that is REST only', async () => {
    const { parity } = await modelContract('test/fixtures/custom');
    expect(parity).toEqual([]);
  });
});
