import { expect, test } from 'vitest';
import { changesFrom, type Draft, impactOf } from '../support/edits.ts';

const searchedBy =
  (...properties: readonly string[]) =>
  (document: Draft): void => {
    document.components.schemas.Product['x-search'] = properties;
    const parameter = { name: 'search', in: 'query', schema: { type: 'string', maxLength: 100 } };
    document.paths['/products'].get.parameters.push(parameter);
  };

test.concurrent('a search of fewer properties breaks who relies on what it found', async () => {
  const changes = await changesFrom(searchedBy('name', 'sku'), searchedBy('sku', 'description'));
  expect(changes.map(({ impact, rule, message }) => [impact, rule, message])).toEqual(
    expect.arrayContaining([
      ['major', 'search-narrowed', 'The search of Product finds no more words of name.'],
      ['minor', 'search-widened', 'The search of Product also finds words of description.'],
    ]),
  );
});

test.concurrent('a search of the same properties in another order has its rows in another order', async () => {
  const rules = async (before: readonly string[], after: readonly string[]) =>
    (await changesFrom(searchedBy(...before), searchedBy(...after))).map(({ impact, rule }) => `${impact} ${rule}`);
  expect(await rules(['name', 'sku'], ['sku', 'name'])).toEqual(['major search-reordered']);
  expect(await rules(['name'], ['sku', 'name'])).toEqual(['minor search-widened', 'major search-reordered']);
  expect(await rules(['name'], ['name', 'sku'])).toEqual(['minor search-widened']);
});

test.concurrent('a search that no longer finds inflected forms breaks who relies on them', async () => {
  const inLanguage = (language: string) => (document: Draft) => {
    searchedBy('name')(document);
    document.components.schemas.Product['x-search'] = { properties: ['name'], language };
  };
  const changed = async (before: (document: Draft) => void, after: (document: Draft) => void) =>
    (await changesFrom(before, after)).flatMap(({ impact, rule }) => (rule === 'changed' ? [] : [`${impact} ${rule}`]));
  expect(await changed(searchedBy('name'), inLanguage('en'))).toEqual(['minor search-inflected']);
  expect(await changed(inLanguage('en'), searchedBy('name'))).toEqual(['major search-language-changed']);
  expect(await changed(inLanguage('en'), inLanguage('de'))).toEqual(['major search-language-changed']);
});

test.concurrent('a search that is gone breaks its callers, one that is new does not', async () => {
  const none = (): void => {};
  expect(impactOf(await changesFrom(searchedBy('name'), none))).toBe('major');
  expect(impactOf(await changesFrom(none, searchedBy('name')))).toBe('minor');
});
