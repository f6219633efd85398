import { expect, it } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { buildSite } from '../../../src/readers/build-site.ts';
import { contentAt } from '../../../src/runtime/site/site.ts';
import { siteOf } from './support/site-of.ts';

const sectionOf = async (name: string, fixture = 'tracker'): Promise<string> =>
  String((await siteOf(`test/fixtures/${fixture}`)).get(`docs/resources/${name}.md`));

it('the page of a resource has the lists of others that one has by what joins them', async () => {
  expect(await sectionOf('Issue')).toContain(
    '- `GET /issues/{issueId}/labels` (`listLabelsOfIssue`, over GraphQL `Issue.labels`) lists each `Label` that `IssueLabel` ' +
      'joins to it, if the caller reads all three. It offers what the list of `Label` does.',
  );
  expect(await sectionOf('Comment')).not.toContain('joins');
});

it('the page of a resource says how far a list is counted, how it is searched and paged, and what conditions it takes', async () => {
  const issue = await sectionOf('Issue');
  expect(issue).toContain('- Counted up to 1,000; where there are more, `totalCountIsExact` is false.');
  expect(issue).toContain(
    '- Search: `search` finds words in `title`, `body`, in all inflected forms (`en`). Without `sort`, what has all of them in the first comes first.',
  );
  expect(issue).toContain('- Pages go both ways: each has the cursor of the page before, too.');
  expect(issue).toContain('- Combined conditions: `filter`, by `IssueFilter`.');
  expect(await sectionOf('Cat', 'cats')).not.toMatch(/Counted|Search|both ways|Combined/);
});

it('the page of a resource spells what it says of counts as the contract does', async () => {
  const { model, parity } = await modelContract('test/fixtures/orchard');
  const resources = model!.resources.map((one) => (one.list ? { ...one, list: { ...one.list, countBound: 50 } } : one));
  const files = await buildSite({ model: { ...model!, resources }, parity, contracts: 'test/fixtures/orchard' });
  const { name } = resources.find(({ list }) => list)!;
  expect(String(await contentAt(files, `docs/resources/${name}.md`))).toContain(
    '- Counted up to 50; where there are more, `total_count_is_exact` is false.',
  );
});

it('the page of a resource says each rule once', async () => {
  const page = await sectionOf('Issue');
  expect(page.match(/Can be deleted where/g)).toHaveLength(1);
  expect(page).toContain('## Rules\n\n- Immutable after creation: `projectId`.');
});

it('the guide to errors says what helps where neither another request nor a wait does', async () => {
  const files = await siteOf('test/fixtures/tracker');
  const errors = String(files.get('docs/guides/errors.md'));
  expect(errors).toMatch(/`UNAUTHENTICATED`.* \| get a new token \|/);
  expect(errors).toMatch(/`EVENTS_MISSED`.* \| read again what is watched; the subscription goes on \|/);
  expect(String(files.get('docs/guides/retries.md'))).not.toContain('EVENTS_MISSED');
});
