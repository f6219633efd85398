import { expect, test } from 'vitest';
import { formatJunit } from '../../../src/authoring/contract/formats/junit.ts';
import { formatMarkdown } from '../../../src/authoring/contract/formats/markdown.ts';
import type { Verdict } from '../../../src/compiler/gate/gate.ts';
import { FILE, type Repository, withRepository } from '../../compiler/gate/support/branch.ts';

const GOLDEN = 'golden/pull-request.md';

const started = async ({ edit, write }: Repository) => {
  await write(
    'contracts/consumers/kiosk/cats.graphql',
    'query Cats($sort: [CatSort!]) {\n  cats(first: 10, sort: $sort) {\n    nodes { id name bornOn }\n  }\n}\n',
  );
  await write(
    'contracts/consumers/admin/operations.yaml',
    'calls:\n  - operation: getCat\n    reads: [/name, /bornOn]\n  - operation: listCats\n    parameters: [limit]\n    reads: [/data/0/name]\n',
  );
  await edit(FILE, 'List cats', 'List *all* cats');
};

/** A renamed operation and type, a property and an order that are gone, another tag, a colour, a summary and a description. */
const eightChanges = async ({ read, write, edit }: Repository) => {
  await edit(FILE, 'operationId: deleteCat', 'operationId: removeCat');
  const document = await read(FILE);
  await write(
    FILE,
    document
      .replace(/^ +bornOn: .*\n/gm, '')
      .replace('enum: [name, -name, bornOn, -bornOn]', 'enum: [name, -name]')
      .replace(
        'operationId: createCat\n      summary: Add a cat\n      tags: [cats]',
        'operationId: createCat\n      summary: Add a cat\n      tags: [pets]',
      )
      .replaceAll('CatPage', 'PageOfCats')
      .replace('enum: [BLACK, ', 'enum: [BLACK, RED, ')
      .replace('List *all* cats', 'List cats, @octocat <b>#1</b>')
      .replace('description: Order of the list, `-` for descending.', 'description: Order of the list.'),
  );
  const sdl = 'contracts/cats.graphql';
  await write(
    sdl,
    (await read(sdl)).replace(/^ {2}(?:bornOn: Date|BORN_ON_\w+)\n/gm, '').replace('  BLACK\n', '  BLACK\n  RED\n'),
  );
};

test('the Markdown of a branch with eight changes against its base', () =>
  withRepository(
    async (repository) => {
      await eightChanges(repository);
      const { code, stdout } = await repository.check('contracts', '--only', 'consumers', '--format', 'markdown');
      const own = stdout
        .replaceAll(`${repository.folder}/`, '')
        .replace(/merge base [0-9a-f]{7}/g, 'merge base 0000000');
      await expect(own).toMatchFileSnapshot(GOLDEN);
      expect(code).toBe(1);
    },
    { before: started },
  ));

const PLACE = { file: 'openapi.yaml', line: 1, column: 1, pointer: '' };

function changed(count: number, message: string) {
  const changes = Array.from({ length: count }, (_, i) => ({
    impact: 'patch' as const,
    area: 'rest' as const,
    rule: 'changed',
    subject: `Thing${i}.name`,
    facts: {},
    message,
    location: PLACE,
  }));
  const findings = changes.map(({ subject, location }) => ({
    rule: 'breaking-rest/property-removed',
    severity: 'error' as const,
    message,
    hint: 'Keep it.',
    subject,
    location,
  }));
  return { piece: 'changes', status: 'failed', summary: 'too many', findings, changes, waived: [] } satisfies Verdict;
}

test('a comment stays below the limit of GitHub, and has something of each section', () => {
  const text = formatMarkdown([changed(3000, `A message. ${'long '.repeat(400)}`)], 'contracts');
  expect(text.length).toBeLessThan(65_536);
  expect(text).toMatch(/^<!-- lockstep contract contracts -->\n## ❌ The contract breaks clients in 3000 places\n/);
  expect(text).toMatch(/### Breaking changes \(3000\)[\s\S]*…and \d+ more of these groups\.\n/);
  expect(text).toMatch(
    /<summary>Patches \(3000\)<\/summary>\n\n\*\*`Thing0`\*\*[\s\S]*…and \d+ more of these groups\.\n/,
  );
  expect(text.match(/<details>/g)).toHaveLength(text.match(/<\/details>/g)!.length);
  expect(text).toContain('- ✗ **changes** too many\n');
});

test('however full the sections are, all checks are there', () => {
  const { findings, changes } = changed(1000, 'Words.');
  const impacts = (['major', 'minor', 'patch'] as const).flatMap((impact) =>
    changes.map((one) => ({ ...one, impact })),
  );
  const errors = findings.map(({ subject: _, ...finding }, at) => ({ ...finding, rule: `rule-${at}` }));
  const warnings = errors.map((finding) => ({ ...finding, severity: 'warning' as const }));
  const of = (piece: Verdict['piece']): Verdict => ({
    piece,
    status: 'passed',
    summary: `What ${piece} is ${'about '.repeat(40)}`,
    findings: [],
  });
  const all = { piece: 'changes', status: 'failed', summary: 'Many', waived: [] } as const;
  const verdict: Verdict = { ...all, findings: [...findings, ...errors, ...warnings], changes: impacts };
  const text = formatMarkdown([of('lint'), verdict, of('consumers')], 'contracts');
  expect(text.length).toBeLessThan(65_536);
  expect(text).toMatch(
    /- ✓ \*\*lint\*\* What .*\n- ✗ \*\*changes\*\* Many\n- ✓ \*\*consumers\*\* What .*\n\n<\/details>\n$/,
  );
});

test('a group that is too long for its section does not hide those after it', () => {
  const groups = (name: string, count: number, message: string) =>
    changed(count, message).findings.map((finding, at) => ({ ...finding, subject: `${name}${at % 6}.note` }));
  const { findings: _, ...rest } = changed(0, '');
  const findings = [...groups('Long', 48, 'long '.repeat(400)), ...groups('Short', 6, 'Words.')];
  const text = formatMarkdown([{ ...rest, findings } as Verdict], 'contracts');
  for (const at of [0, 1, 2, 3, 4, 5]) expect(text).toContain(`**\`Short${at}\`**`);
  expect(text).toMatch(/…and \d more of these groups\./);
});

test('a message is cut after it was escaped, and not within an escape or so that code becomes markup', () => {
  const shownOf = (message: string) =>
    /^- `contracts\/openapi\.yaml:1` (.*)$/m.exec(formatMarkdown([changed(1, message)], 'contracts'))?.[1] ?? '';
  expect(shownOf('@'.repeat(2000))).toBe(`${'@&#8203;'.repeat(125)}…`);
  expect(shownOf(`a${'*'.repeat(2000)}`)).toBe(`a${'\\*'.repeat(499)}…`);
  expect(shownOf(`Was \`${'@'.repeat(2000)}\` gone`)).toBe(`Was \`${'@'.repeat(996)}…\``);
  expect(shownOf('x'.repeat(1000))).toBe('x'.repeat(1000));
});

test('many changes of one thing are one group', () => {
  const verdict = changed(40, 'Words.');
  const one = verdict.findings.map((finding) => ({ ...finding, subject: 'Order.note' }));
  const text = formatMarkdown([{ ...verdict, findings: one } as Verdict], 'contracts');
  expect(text.match(/\*\*`Order`\*\*/g)).toHaveLength(1);
  expect(text).toContain('- and 32 more');
});

test('words of a contract stay words: no markup, no mentions, no references', () => {
  const message = 'Was `a | b`: <img src=x> *x* [y](z) @octocat #12 & _u_ ~~s~~\n- | ` end';
  const text = formatMarkdown([changed(1, message)], 'contracts');
  expect(text).toContain(
    '- `contracts/openapi.yaml:1` Was `a | b`: \\<img src=x\\> \\*x\\* \\[y\\](z) @&#8203;octocat #&#8203;12 \\& \\_u\\_ \\~\\~s\\~\\~ - \\| \\` end\n',
  );
});

test('what is well says so', () => {
  const well: Verdict = { piece: 'changes', status: 'passed', summary: '0 changes since 1.0.0', findings: [] };
  const text = formatMarkdown(
    [well, { piece: 'drift', status: 'not-run', isBlocked: false, summary: 'nothing', findings: [] }],
    'c',
  );
  expect(text).toContain('## ✅ The contract breaks no client\n');
  expect(text).toContain('- – **drift** not run: nothing\n');
});

test('JUnit has a suite for each check and a case for each error, as valid XML', () => {
  const { findings } = changed(2, 'Was "a" <b> & \u0000\u0007 gone.');
  const text = formatJunit(
    [
      { piece: 'changes', status: 'failed', summary: 'two', findings },
      {
        piece: 'lint',
        status: 'passed',
        summary: 'rules',
        findings: findings.map((one) => ({ ...one, severity: 'warning' })),
      },
      { piece: 'drift', status: 'not-run', isBlocked: true, summary: 'errors', findings: [] },
      { piece: 'access', status: 'not-run', isBlocked: false, summary: 'no file', findings: [] },
    ],
    'contracts',
  );
  expect(text).toContain('<testsuite name="changes" tests="2" failures="2" errors="0" skipped="0">');
  expect(text).toContain('file="contracts/openapi.yaml" line="1"><failure type="breaking-rest/property-removed"');
  expect(text).toContain(
    'message="Was &quot;a&quot; &lt;b&gt; &amp; gone.">Was "a" &lt;b&gt; &amp;  gone.\nKeep it.</failure>',
  );
  expect(text).toContain('<testsuite name="lint" tests="1" failures="0" errors="0" skipped="0">');
  expect(text).toContain('<system-out>contracts/openapi.yaml:1:1 Was "a" &lt;b&gt;');
  expect(text).toContain('<testsuite name="drift" tests="1" failures="0" errors="1" skipped="0">');
  expect(text).toContain('<error message="not run: errors"/>');
  expect(text).toContain('<testsuite name="access" tests="1" failures="0" errors="0" skipped="1">');
  expect(text).toContain('<skipped message="not run: no file"/>');
});
