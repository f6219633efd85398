import { cp, readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { readEdition } from '../../../src/compiler/gate/changes/edition.ts';
import { exportedBy } from '../../../src/compiler/gate/changes/exported-names.ts';
import { withFolder } from '../../support/folder.ts';
import { type Branch, FILE, withBranch } from './support/branch.ts';

interface Told {
  readonly impact: string;
  readonly rule: string;
  readonly subject: string;
  readonly message: string;
  readonly exports?: readonly { readonly language: string; readonly name: string; readonly now?: string }[];
}

/** The changes and findings that have names of exports, or are about them alone. */
async function told({ judge }: Branch): Promise<{ status: string; changes: Told[]; findings: Told[] }> {
  const [{ status, changes, findings }] = JSON.parse((await judge('changes')).printed('json'));
  const isOfNames = ({ rule, exports }: Told): boolean => exports !== undefined || rule.startsWith('export-');
  return { status, changes: changes.filter(isOfNames), findings: findings.filter(isOfNames) };
}

describe('what clients export', () => {
  test('is named by a renamed operationId, which breaks calls as it did', () =>
    withBranch(async (branch) => {
      await branch.edit(FILE, 'operationId: getCat\n', 'operationId: getCatById\n');
      const { status, changes, findings } = await told(branch);
      expect(changes).toEqual([]);
      expect(findings).toMatchObject([
        {
          rule: 'breaking-rest/operation-id-changed',
          exports: [
            { language: 'Python', name: 'api.cats.get_cat', now: 'api.cats.get_cat_by_id' },
            { language: 'Go', name: 'GetCatWithResponse', now: 'GetCatByIDWithResponse' },
            { language: 'Java', name: 'CatsApi.getCat', now: 'CatsApi.getCatById' },
          ],
        },
      ]);
      expect(findings[0]?.message).toContain(
        'In clients, Python `api.cats.get_cat` becomes `api.cats.get_cat_by_id`, Go `GetCatWithResponse` becomes',
      );
      expect(status).toBe('failed');
    }));

  test('is named by the notices of a renamed type and tag, which break nothing as they did not', () =>
    withBranch(async (branch) => {
      await branch.edit(FILE, /CatPage/g, 'PageOfCats');
      await branch.edit(FILE, 'tags: [cats]', 'tags: [pets]');
      const { status, changes, findings } = await told(branch);
      expect(findings).toEqual([]);
      expect(changes.map(({ impact, subject, exports }) => [impact, subject, exports?.map(({ now }) => now)])).toEqual([
        ['patch', 'CatPage', ['PageOfCats', 'models.PageOfCats', 'PageOfCats', 'model.PageOfCats']],
        ['patch', 'listCats', ['api.pets.list_cats', 'PetsApi.listCats']],
      ]);
      expect(status).toBe('passed');
    }));

  test('is named by what takes operations and fields away', () =>
    withBranch(async (branch) => {
      const text = await branch.read(FILE);
      await branch.write(FILE, text.replace(/ {4}delete:\n[\s\S]*?(?=^ {4}\w|^components|^ {2}\/)/m, ''));
      await branch.edit('contracts/cats.graphql', /^ {2}deleteCat.*\n/m, '');
      const { changes, findings } = await told(branch);
      const gone = (names: readonly string[]) =>
        names.map((name, i) => ({ language: ['TypeScript', 'Python', 'Go', 'Java'][i], name }));
      expect([...changes, ...findings].map(({ rule, exports }) => [rule, exports])).toEqual(
        expect.arrayContaining([
          [
            'breaking-rest/operation-removed',
            gone(['cats.delete', 'api.cats.delete_cat', 'DeleteCatWithResponse', 'CatsApi.deleteCat']),
          ],
          [
            'breaking-graphql/field-removed',
            gone(['deleteCatMutation', 'graphql.delete_cat', 'graphql.DeleteCat', 'Graphql.deleteCat']),
          ],
        ]),
      );
    }));

  test('has a notice of its own where no other change is about it', () =>
    withBranch(
      async (branch) => {
        await branch.edit(FILE, "$ref: '#/components/schemas/Person'", "$ref: '#/components/schemas/Human'");
        const human = '    Human: { type: object, properties: { name: { type: string } } }\n';
        await branch.edit(FILE, /^ {4}Person:\n/m, `${human}$&`);
        const { status, changes, findings } = await told(branch);
        expect([status, findings]).toEqual(['passed', []]);
        expect(changes).toMatchObject([
          {
            impact: 'patch',
            area: 'clients',
            rule: 'export-removed',
            subject: 'Person',
            message: expect.stringMatching(
              /^Clients no longer have a name for `Person`\. In clients, TypeScript `Person` is gone, Python `models\.Person` /,
            ),
            location: { file: 'openapi.yaml' },
          },
        ]);
      },
      { fixture: 'valid/ordinary', isReleased: false },
    ));

  test('stays the same where nothing is renamed', () =>
    withBranch(async (branch) => {
      await branch.edit(FILE, 'List cats', 'All cats');
      expect(await told(branch)).toEqual({ status: 'passed', changes: [], findings: [] });
    }));

  // What the generators of the four clients have made of this contract.
  test('is spelled as generators spell it', () =>
    withFolder({}, async (folder) => {
      await cp('test/fixtures/cats', folder, { recursive: true });
      const path = `${folder}/openapi.yaml`;
      const text = (await readFile(path, 'utf8'))
        .replace('operationId: getCat\n', 'operationId: getCatByIdV2\n')
        .replaceAll('tags: [cats]', 'tags: [House cats]')
        .replace('- name: cats', '- name: House cats')
        .replaceAll('CatPage', 'CatPage_v2URL');
      await writeFile(path, text);
      const { edition } = await readEdition(folder);
      const names = new Map(exportedBy(edition!).map((one) => [one.subject, Object.values(one.names)]));
      expect(names.get('getCatByIdV2')).toEqual([
        'cats.get',
        'api.house_cats.get_cat_by_id_v2',
        'GetCatByIDV2WithResponse',
        'HouseCatsApi.getCatByIdV2',
      ]);
      expect(names.get('CatPage_v2URL')).toEqual([
        'CatPage_v2URL',
        'models.CatPageV2URL',
        'CatPageV2URL',
        'model.CatPageV2URL',
      ]);
      expect(names.get('Query.cats')).toEqual(['catsQuery', 'graphql.get_cats', 'graphql.GetCats', 'Graphql.getCats']);
      expect(names.get('Subscription.catCreated')?.[1]).toBe('graphql.on_cat_created');
    }));
});
