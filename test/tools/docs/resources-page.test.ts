import { expect, it } from 'vitest';
import type { ContractModel } from '../../../src/compiler/model/model.ts';
import { resourcesPage } from '../../../src/tools/docs/pages/resources.ts';
import { contractOf } from '../../support/service.ts';

async function sectionOf(name: string, fixture = 'tracker'): Promise<string> {
  const { text } = resourcesPage((await contractOf(fixture)) as ContractModel);
  return text.slice(text.indexOf(`\n## ${name}\n`) + 1).split('\n## ')[0]!;
}

it('the page of resources has the lists of others that one has by what joins them', async () => {
  expect(await sectionOf('Issue')).toContain(
    '- `GET /issues/{issueId}/labels` (`listLabelsOfIssue`, over GraphQL `Issue.labels`) lists each `Label` that `IssueLabel` ' +
      'joins to it, if the caller reads all three. It offers what the list of `Label` does.',
  );
  expect(await sectionOf('Comment')).not.toContain('joins');
});

it('the page of resources says how far a list is counted, how it is searched and paged, and what conditions it takes', async () => {
  const issue = await sectionOf('Issue');
  expect(issue).toContain('- Counted up to 1,000; where there are more, `totalCountIsExact` is false.');
  expect(issue).toContain(
    '- Search: `search` finds words in `title`, `body`, in all inflected forms (`en`). Without `sort`, what has all of them in the first comes first.',
  );
  expect(issue).toContain('- Pages go both ways: each has the cursor of the page before, too.');
  expect(issue).toContain('- Combined conditions: `filter`, by `IssueFilter`.');
  expect(await sectionOf('Cat', 'cats')).not.toMatch(/Counted|Search|both ways|Combined/);
});

it('the page of resources spells what it says of counts as the contract does', async () => {
  const model = (await contractOf('orchard')) as ContractModel;
  const bounded = model.resources.map((one) => (one.list ? { ...one, list: { ...one.list, countBound: 50 } } : one));
  expect(resourcesPage({ ...model, resources: bounded }).text).toContain(
    '- Counted up to 50; where there are more, `total_count_is_exact` is false.',
  );
});
