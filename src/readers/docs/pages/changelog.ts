import type { Release } from '../../../compiler/gate/changes/index.ts';
import { link } from '../layout/links.ts';
import { code, items, lines } from '../layout/markdown.ts';
import { type Page, textPage } from '../layout/page.ts';
import type { Reference } from '../reference/reference.ts';
import { type ReaderChange, readerChanges } from './reader-changes.ts';

const TITLES = [
  ['major', 'Breaking'],
  ['minor', 'Added'],
  ['patch', 'Changed'],
] as const;

/** What each release changed for callers, the newest first. */
export const changelogPage = (releases: readonly Release[], reference: Reference): Page =>
  textPage('docs/changelog.html', 'Changelog', 'What each release changed for callers, and what to do about it.', () =>
    lines(
      '# Changelog',
      `${link('Versions of the API', 'docs/guides/versions.html')} says which are served, and until when.`,
      ...releases.flatMap((release, at) => sectionOf(release, at === releases.length - 1, reference)),
    ),
  );

function sectionOf(release: Release, isFirst: boolean, reference: Reference): readonly string[] {
  const heading = `## ${release.version} (${release.apiVersion}), ${release.date}`;
  const changes = readerChanges(release);
  if (changes.length === 0) return [heading, isFirst ? 'The first release.' : 'Nothing that callers notice.'];
  const isOfBoth = changes.some(({ protocols }) => protocols.has('GraphQL'));
  return [
    heading,
    ...TITLES.flatMap(([impact, title]) => {
      const own = changes.filter((change) => change.impact === impact);
      if (own.length === 0) return [];
      const groups = [...Map.groupBy(own, ({ owner }) => owner)].toSorted(([a], [b]) => a.localeCompare(b));
      return [
        `### ${title} in ${release.version}`,
        items(
          groups.map(([owner, some]) => {
            const texts = some.map((change) => `  - ${entryOf(change, isOfBoth)}`);
            return `${owner === '' ? 'The API' : linkTo(reference, owner)}\n${texts.join('\n')}`;
          }),
        ),
      ];
    }),
  ];
}

function entryOf({ text, advice, protocols, waived }: ReaderChange, isOfBoth: boolean): string {
  const [only, other] = [...protocols];
  return [
    text,
    isOfBoth && only !== undefined && other === undefined && `(${only})`,
    advice && `**${advice}**`,
    waived !== undefined && `Why: ${waived}`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** The page of an operation, a field, an error or a type, if it is still there. */
function linkTo({ model, places, fieldsAlone }: Reference, owner: string): string {
  const field = /^(?:Query|Mutation|Subscription)\.(.+)$/.exec(owner)?.[1];
  if (model.operations.some(({ operationId }) => operationId === owner))
    return link(code(owner), places.operation(owner));
  if (field !== undefined && fieldsAlone.some((root) => root.field.name === field))
    return link(code(owner), places.field(field));
  if (Object.hasOwn(model.errors, owner)) return link(code(owner), places.error(owner));
  const type = places.typeNamed(owner);
  return type === undefined ? code(owner) : link(code(owner), type);
}
