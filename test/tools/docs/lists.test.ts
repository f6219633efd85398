import { expect, it } from 'vitest';
import { siteOf } from './support/site-of.ts';

it('the documentation shows filters that combine conditions, in both protocols', async () => {
  const files = await siteOf('test/fixtures/tracker');
  const [rest, graphql] = ['rest', 'graphql'].map((page) => String(files.get(`docs/${page}.md`)));
  const issues = rest!.slice(rest!.indexOf('`GET /issues`'));
  expect(issues.slice(0, issues.indexOf('\n### '))).toContain('| `filter` | query | `IssueFilter` as JSON |');
  const filter = graphql!.slice(graphql!.indexOf('### `IssueFilter`'));
  expect(filter.slice(0, filter.indexOf('\n### '))).toMatch(
    /\| `or` \| `\[IssueFilter!\]` .*\| `not` \| `IssueFilter` .*\| `comments` \| `CommentListFilter` /s,
  );
});

it('the documentation names the connection of GraphQL that does what a list below another resource does', async () => {
  const files = await siteOf('test/fixtures/tracker');
  const rest = String(files.get('docs/rest.md'));
  const sectionOf = (id: string) => rest.slice(rest.indexOf(`, \`${id}\`.`)).split('\n### ')[0];
  expect(sectionOf('listLabelsOfIssue')).toContain('GraphQL: `Issue.labels`.');
  expect(String(files.get('docs/assets/rest-documents.js'))).toContain("of issues.labels.list(client, { issueId: '");
  expect(sectionOf('listMembers')).toContain('GraphQL: `Team.members`.');
  expect(sectionOf('listLabels')).toContain('GraphQL: [labels](graphql.md#labels).');
});
