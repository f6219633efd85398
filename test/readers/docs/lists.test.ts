import { expect, it } from 'vitest';
import { siteOf } from './support/site-of.ts';

it('the documentation shows filters that combine conditions, in both protocols', async () => {
  const files = await siteOf('test/fixtures/tracker');
  expect(String(files.get('docs/operations/listIssues.md'))).toContain(
    '| `filter` | query | [`IssueFilter`](../types/IssueFilter.md) as JSON |',
  );
  const filter = String(files.get('docs/types/IssueFilter.md')).split('## GraphQL')[1];
  expect(filter).toMatch(
    /\| `or` \| \[`\[IssueFilter!\]`\].*\| `not` \| \[`IssueFilter`\].*\| `comments` \| \[`CommentListFilter`\]/s,
  );
});

it('the documentation names the connection of GraphQL that does what a list below another resource does', async () => {
  const files = await siteOf('test/fixtures/tracker');
  const page = (id: string) => String(files.get(`docs/operations/${id}.md`));
  expect(page('listLabelsOfIssue')).toContain('over GraphQL `Issue.labels`.');
  expect(page('listLabelsOfIssue')).toContain("of client.issues.labels.list({ issueId: '");
  expect(page('listMembers')).toContain('`Team.members`.');
  expect(page('listLabels')).toContain('over GraphQL query [`labels`](#graphql).');
});
