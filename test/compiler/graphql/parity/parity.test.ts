import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatParity } from '../../../../src/authoring/contract/format-parity.ts';
import { fixContract } from '../../../../src/authoring/fix-contract.ts';
import { modelContract } from '../../../../src/compiler/compile-contract.ts';
import type { Finding } from '../../../../src/compiler/findings/finding.ts';
import { applyFixes, type Fix } from '../../../../src/compiler/findings/fix.ts';
import { formatFindings } from '../../../../src/compiler/findings/report.ts';
import type { Modelled } from '../../../../src/compiler/model/model.ts';
import { withFolder } from '../../../support/folder.ts';
import { PLANTED } from '../../../support/planted-differences.ts';
import { oneIn } from '../../../support/thorough.ts';

const FIXTURES = join(import.meta.dirname, '../../../fixtures');
const REST = 'openapi.yaml';
const SDL = 'library.graphql';

interface Changed extends Modelled {
  /** The same contract with a fix applied as well. */
  fixedBy(fix: Fix): Promise<Modelled>;
  /** The same contract after `contract --fix`. */
  fixed(): Promise<Modelled>;
}

/** A contract of the fixtures with a text of one of its files replaced, once. */
async function changed(file: string, from: string, to: string, contract = 'library'): Promise<Changed> {
  const modelled = (change: (folder: string) => unknown): Promise<Modelled> =>
    withFolder({}, async (folder) => {
      cpSync(join(FIXTURES, contract), folder, { recursive: true });
      const path = join(folder, file);
      const text = readFileSync(path, 'utf8');
      if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
      writeFileSync(path, text.replace(from, to));
      await change(folder);
      return modelContract(folder);
    });
  const fixedBy = (fix: Fix): Promise<Modelled> =>
    modelled((folder) => {
      const fixed = join(folder, fix.file);
      writeFileSync(fixed, applyFixes(readFileSync(fixed, 'utf8'), [fix]));
    });
  return { ...(await modelled(() => {})), fixedBy, fixed: () => modelled(fixContract) };
}

const AGREEING = [
  'contracts',
  ...['cats', 'diary', 'exchange', 'folders', 'invoices', 'library'].map((name) => `test/fixtures/${name}`),
];

/** Differences whose remedy does not follow from the contract: the author has to say what was meant. */
const WITHOUT_FIX = new Set([
  'an operator of a filter is missing',
  'a filter of another type',
  'a custom field that REST lacks',
  'a declared difference that is none',
  'an action at the wrong root type',
]);

/** Those that REST lacks, which `--fix` derives from the SDL as a whole. */
const DERIVED = new Set([
  'an action is missing in REST',
  'a field that REST lacks',
  'a filter that REST lacks',
  'no operation for a mutation',
  'a field of a type without a schema of its own',
]);

function planted(name: string) {
  const [, at, from, to] = PLANTED.find(([what]) => what === name)!;
  return { at, from, to };
}

describe('the parity gate', () => {
  it.each(oneIn(9, PLANTED))('finds %s, and says what to write', async (what, at, from, to, rule, fact) => {
    const { findings, model, fixedBy, fixed } = await changed(at.file, from, to, at.contract);
    expect(model).toBeUndefined();
    const isMeant = (one: Finding): boolean => one.rule === `parity-${rule}` && one.message.includes(`\`${fact}\``);
    const found = findings.find(isMeant);
    expect(found, formatFindings(findings)).toBeDefined();
    const { severity, location, also, hint, fix } = found!;
    expect(severity).toBe('error');
    expect([location.file, also?.file].toSorted()).toEqual([at.file, at.beside].toSorted());
    expect(location.line + also!.line).toBeGreaterThan(2);
    expect(location.pointer).not.toBe('');
    expect(hint).toMatch(/\S/);
    expect(fix === undefined, formatFindings([found!])).toBe(WITHOUT_FIX.has(what) || DERIVED.has(what));
    if (WITHOUT_FIX.has(what)) return;
    const after = await (fix ? fixedBy(fix) : fixed());
    const wrong = after.findings.filter((one) => isMeant(one) || /syntax|sdl-schema/.test(one.rule));
    expect(wrong, fix?.text).toEqual([]);
  });

  it.each(AGREEING)('passes %s, fact by fact', async (folder) => {
    const { findings, parity } = await modelContract(folder);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(parity.length).toBeGreaterThan(60);
    expect(new Set(parity.map(({ verdict }) => verdict))).toEqual(new Set(['same']));
  });

  it('prints both places', async () => {
    const { findings } = await changed(SDL, '  lentCount: SafeInt!', '  lentCount: Int!');
    const text = formatFindings(findings);
    expect(text).toMatch(/openapi\.yaml:\d+:\d+ {2}error {2}parity-field/);
    expect(text).toMatch(/and library\.graphql:\d+:\d+/);
    expect(text).toContain('`Book.lentCount`: REST says `SafeInt!`, GraphQL says `Int!`.');
  });

  it('finds a search that GraphQL lacks at its parameter, where it may be declared', async () => {
    const search = `    "Only entries with all of these words in \`name\`; \`*\` stands for the rest of a word."\n    search: String\n`;
    const { findings, fixedBy } = await changed('schema.graphql', search, '', 'diary');
    expect(findings.map(({ rule, message }) => [rule, message])).toEqual([
      ['parity-argument', '`Query.notebooks(search:)`: REST says `String`, GraphQL does not have it.'],
    ]);
    const { file, line, column } = findings[0]!.location;
    const declared = { file, line, column: column + 2, text: 'x-parity: { graphql: absent, because: a test }, ' };
    expect((await fixedBy(declared)).findings).toEqual([]);
    expect((await fixedBy(findings[0]!.fix!)).findings).toEqual([]);
  });

  it('names a missing action with the whole field, at its root type', async () => {
    const { findings } = await changed(
      SDL,
      '  deleteAuthor(id: ID!, ifVersion: Int): ID! @auth(scopes: ["library:write"])\n',
      '',
    );
    const field = 'deleteAuthor(id: ID!, ifVersion: Int): ID! @auth(scopes: ["library:write"])';
    const text = formatFindings(findings);
    expect(text).toContain(`\`Author delete\`: REST says \`served\`, GraphQL lacks \`Mutation.${field}\`.`);
    expect(text).toMatch(/fix: at library\.graphql:\d+:\d+ add `deleteAuthor\(/);
  });

  it('names the missing list of a sub-resource with the ids of its ancestors', async () => {
    const { at, from, to } = planted('the list of a sub-resource is missing');
    const { findings } = await changed(at.file, from, to, at.contract);
    expect(formatFindings(findings)).toContain(
      'lacks `Query.invoicePayments(invoiceId: ID!, first: Int = 20, after: String)',
    );
  });

  it('says what a page of the greatest size costs', async () => {
    const { findings } = await changed(SDL, 'schema @limits {', 'schema @limits(cost: 150) {');
    const books = findings.find(({ message }) => message.startsWith('`Query.books`'));
    expect(books?.message).toMatch(/GraphQL says `a page of 100 costs \d+, the limit is 150`/);
    expect(books?.fix?.text).toMatch(/^\d+$/);
  });

  it('offers the greatest page that fits the cost', async () => {
    const limited = async (size: number, cost = 150) => {
      const document = readFileSync(join(FIXTURES, 'library', REST), 'utf8');
      expect(document).toContain('maximum: 100');
      return withFolder({}, async (folder) => {
        cpSync(join(FIXTURES, 'library'), folder, { recursive: true });
        writeFileSync(join(folder, REST), document.replaceAll('maximum: 100', `maximum: ${size}`));
        const sdl = readFileSync(join(folder, SDL), 'utf8').replaceAll('assumedSize: 100', `assumedSize: ${size}`);
        writeFileSync(join(folder, SDL), sdl.replace('schema @limits {', `schema @limits(cost: ${cost}) {`));
        const { findings } = await modelContract(folder);
        return findings.find(({ rule, message }) => rule === 'parity-cost' && message.startsWith('`Query.books`'));
      });
    };
    const [, fitting] = /to (\d+), which fits/.exec((await limited(100))!.hint!)!;
    expect(await limited(Number(fitting))).toBeUndefined();
    expect(await limited(Number(fitting) + 1)).toBeDefined();
    expect((await limited(100, 1))!.hint).toBe('Not even a page of 1 fits: raise `cost` of `@limits`.');
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
    expect(without.findings.filter(({ severity }) => severity === 'error')).toMatchObject([{ rule: 'parity-filter' }]);
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
