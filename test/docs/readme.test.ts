import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blocksOf } from './support/blocks.ts';
import { anchorsOf, linksOf, root } from './support/markdown.ts';

describe('the contract in README.md', () => {
  it('is an excerpt of the storefront', () => {
    const { text } = blocksOf('README.md').find(({ language }) => language === 'yaml')!;
    const shown = text
      .split('\n')
      .map((line) => line.replace(/\s+# .*$/, ''))
      .filter((line) => line.trim() !== '' && line.trim() !== '…');
    const file = readFileSync(join(root, 'contracts/schemas/Order.yaml'), 'utf8').split('\n');
    const places = shown.map((line) => file.indexOf(line));
    expect(shown.length).toBeGreaterThan(10);
    expect(places.filter((place) => place < 0)).toEqual([]);
    // `$ref` and `x-…` repeat; keys of properties do not.
    const keys = places.filter((_, at) => /^ {2}\w+:$/.test(shown[at]!));
    expect(keys).toEqual([...keys].sort((a, b) => a - b));
  });
});

/** Where the first questions of a newcomer are answered. */
const ANSWERS = {
  'How do I hide a property?': 'docs/reference/access.md#x-access-on-a-property',
  'How do I run code after an update?': 'docs/handlers.md#run-code-after-an-update',
  'How do I rename a column?': 'docs/migrations.md#renamed-properties',
  'How do I page through a list?': 'docs/reference/lists.md#pages-and-cursors',
  'How do I add an error code?': 'docs/reference/errors.md#error-codes-of-your-own',
  'How do I test a handler?': 'docs/handlers.md#tests',
  'How do I serve behind a proxy?': 'docs/operations.md#behind-a-proxy',
  'How do I mark a field as deprecated?': 'docs/reference/versions.md#mark-an-operation-or-a-property-as-deprecated',
  'How do I limit a caller?': 'docs/load.md#rate-limit',
  'How do I upload a file?': 'docs/files.md#files-uploads-and-downloads',
  'How do I call it from Python?': 'docs/clients.md#python-go-and-java',
  'How do I move to Postgres?': 'docs/operations.md#from-sqlite-to-postgres',
};

/** Where a click on a page leads, as a path below the root with its anchor. */
const clicksOn = (page: string): readonly string[] =>
  linksOf(page)
    .filter((link) => /^(?:[^:]+\.md)?(?:#.*)?$/.test(link))
    .map((link) => (link.startsWith('#') ? page + link : join(dirname(page), link)));

describe('a question of a newcomer', () => {
  const first = clicksOn('README.md');
  const second = new Set([...first, ...first.flatMap((link) => clicksOn(link.split('#')[0]!))]);

  it.each(Object.entries(ANSWERS))('%s is answered two clicks from README.md', (_, answer) => {
    const [page = '', anchor = ''] = answer.split('#');
    expect([...anchorsOf(page)]).toContain(anchor);
    // The heading of a page is where it opens.
    const [title] = anchorsOf(page);
    expect([...second]).toContain(anchor === title ? page : answer);
  });
});
