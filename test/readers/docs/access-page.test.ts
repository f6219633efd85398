import { describe, expect, it } from 'vitest';
import { siteOf } from './support/site-of.ts';

async function pageOf(contracts: string): Promise<string> {
  return String((await siteOf(contracts)).get('docs/access.md')).replace(/\s+/g, ' ');
}

describe('the page of access', () => {
  it('has the rules of rows, those from above, of tenants and of properties', async () => {
    const page = await pageOf('test/fixtures/tracker');
    expect(page).toContain(
      '| [`Comment`](resources/Comment.md) † | anyone | anyone | any token | any token | any token | any token |',
    );
    expect(page).toContain('- `Comment`: It is there for who may read its `Issue` only. Can be created where ');
    expect(page).toContain('- `Member`: It is there for who may read its `Team` only. Can be created by ');
    // Everybody may read what it is above.
    expect(await pageOf('contracts')).toMatch(/- `Review`: (?!It is there for)/);
    expect(page).toContain("- `Project`: Readable within the caller's tenant (`tenantId` is its `tenant`;");
    expect(page).toContain(
      'belong to a tenant: `tenantId` is the claim `tenant` of who creates them. A caller whose token lacks the claim sees none of them, and is',
    );
    expect(page).toContain('Callers with `tracker:operate` see the rows of all tenants.');
    expect(page).toContain('| `Project.budget` | by callers with the scope `tracker:operate`, or where ');
  });

  it('has the three resources whose rules a list through another goes by', async () => {
    const page = await pageOf('test/fixtures/tracker');
    expect(page).toContain(
      '| `listLabelsOfIssue` | `GET /issues/{issueId}/labels` | anyone | `Issue`, `IssueLabel` and `Label` |',
    );
    expect(page).not.toContain('## Other operations');
    expect(await pageOf('test/fixtures/payroll')).not.toContain('Lists through');
  });

  it('names a claim inside another, and says nothing of tenants where there are none', async () => {
    expect(await pageOf('test/fixtures/workshop')).toContain(
      '`tenantId` is the claim `app.tenant` of who creates them.',
    );
    const payroll = await pageOf('test/fixtures/payroll');
    expect(payroll).not.toContain('tenant');
    expect(payroll).toContain('Some properties are for fewer callers than their rows.');
  });
});
