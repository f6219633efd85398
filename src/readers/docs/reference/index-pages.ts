import type { RootField, RootKind } from '../../../compiler/emit/index.ts';
import { namedSchemas, type OperationModel } from '../../../compiler/model/index.ts';
import { tagOf } from '../../../descriptor/document.ts';
import { once } from '../../../descriptor/once.ts';
import { isLarge } from '../layout/large.ts';
import { link } from '../layout/links.ts';
import { code, firstSentence, inline, items, lines, plain, table, withoutMarkup } from '../layout/markdown.ts';
import type { Page } from '../layout/page.ts';
import { GRAPHQL, REST, tagNameOf } from './places.ts';
import type { Reference } from './reference.ts';
import { type Tagged, tagged } from './tags.ts';

type Parts = readonly (string | false)[];

/** The operations of REST, and those of GraphQL: where the pages of each are. Of many, each tag has a page, which both lead to. */
export function indexPages(reference: Reference): readonly Page[] {
  const { model } = reference;
  const isDivided = isLarge(model);
  const names = isDivided ? [...new Set(model.operations.map(tagNameOf))] : [];
  const under = once(() => tagged(reference));
  const page = { kind: 'page', scripts: ['moved.js'] } as const;
  return [
    {
      ...page,
      ...REST,
      description: 'Every operation of REST, and every schema.',
      text: () =>
        lines(...restHead(reference), ...(isDivided ? restTags(reference, names, under()) : allRest(reference))),
    },
    ...(model.graphql
      ? [
          {
            ...page,
            ...GRAPHQL,
            description: 'Every query, mutation and subscription, and every type.',
            text: () =>
              lines(
                ...graphqlHead(reference),
                ...(isDivided ? graphqlTags(reference, names, under()) : allGraphql(reference)),
              ),
          },
        ]
      : []),
    ...names.map((name) => tagPage(reference, name, () => under()(name))),
  ];
}

const restHead = ({ addresses }: Reference): Parts => [
  '# REST',
  `Every operation, at ${code(addresses.base)}. The whole is there as an ${link('OpenAPI document', 'docs/openapi.json')}, and ${link('to try out', 'docs/console.html')}.`,
];

function allRest(reference: Reference): Parts {
  const groups = Map.groupBy(reference.model.operations, ({ node }) => tagOf(node));
  const sorted = [...groups].toSorted(([a], [b]) => Number(a !== '') - Number(b !== ''));
  return [
    ...sorted.flatMap(([tag, own]) => [
      tag !== '' && `## ${plain(tag)}`,
      tag !== '' && aboutTag(reference, tag),
      operationTable(reference, own),
    ]),
    ...typeList(reference, '## Schemas', Object.keys(namedSchemas(reference.model.document))),
  ];
}

function operationTable({ places }: Reference, operations: readonly OperationModel[]): string {
  const rows = operations.map(({ operationId, method, path, node }) => {
    const { summary = '' } = node as { readonly summary?: string };
    return [
      code(`${method.toUpperCase()} ${path}`),
      link(code(operationId), places.operation(operationId)),
      inline(`${node.deprecated ? '**Deprecated.** ' : ''}${summary}`),
    ];
  });
  return table(['Request', 'Operation', 'What it does'], rows);
}

/** What the document says of a tag. */
export function aboutTag({ model }: Reference, name: string): string {
  const tags = (model.document['tags'] ?? []) as readonly { readonly name: string; readonly description?: string }[];
  return tags.find((tag) => tag.name === name)?.description ?? '';
}

const typeList = ({ places }: Reference, heading: string, names: readonly string[]): Parts =>
  names.length === 0 ? [] : [heading, items(names.map((name) => link(code(name), places.type(name))))];

const graphqlHead = ({ addresses }: Reference): Parts => [
  '# GraphQL',
  `Every operation, at ${code(addresses.endpoint)}, by POST as JSON: \`{ "query", "variables" }\`. The whole is there as a ${link('schema (SDL)', 'docs/schema.graphql')}, and to try out in ${link('GraphiQL', addresses.graphiql)}.`,
];

const allGraphql = (reference: Reference): Parts => [
  ...fieldTables(reference, '##', reference.roots),
  ...typeList(
    reference,
    '## Types',
    reference.graphqlTypes.map(({ name }) => name),
  ),
];

const TITLES: Readonly<Record<RootKind, string>> = {
  query: 'Queries',
  mutation: 'Mutations',
  subscription: 'Subscriptions',
};

function fieldTables(reference: Reference, level: '##' | '###', roots: readonly RootField[]): Parts {
  const groups = Map.groupBy(roots, ({ kind }) => kind);
  return (Object.keys(TITLES) as RootKind[]).flatMap((kind) => {
    const rows = (groups.get(kind) ?? []).map((root) => [
      link(code(root.field.name), reference.placeOf(root)),
      code(String(root.field.type)),
      inline(firstSentence(root.field.description ?? '')),
    ]);
    return rows.length === 0 ? [] : [`${level} ${TITLES[kind]}`, table(['Field', 'Answers', 'What it does'], rows)];
  });
}

function restTags(reference: Reference, names: readonly string[], under: (name: string) => Tagged): Parts {
  const rows = names.map((name) => [
    link(plain(name), reference.places.tag(name)),
    String(under(name).operations.length),
    inline(firstSentence(aboutTag(reference, name))),
  ]);
  return [table(['Tag', 'Operations', 'About'], rows), ...typeList(reference, '## Types', under('').types)];
}

function graphqlTags(reference: Reference, names: readonly string[], under: (name: string) => Tagged): Parts {
  const rows = names.flatMap((name) => {
    const { length } = under(name).roots;
    return length === 0 ? [] : [[link(plain(name), `${reference.places.tag(name)}#graphql`), String(length)]];
  });
  const { roots, types } = under('');
  return [
    table(['Tag', 'Fields'], rows),
    ...fieldTables(reference, '##', roots),
    ...typeList(reference, '## Types', types),
  ];
}

/** The operations of a tag, over both protocols. */
function tagPage(reference: Reference, name: string, own: () => Tagged): Page {
  const about = aboutTag(reference, name);
  return {
    path: reference.places.tag(name),
    title: name,
    description: withoutMarkup(firstSentence(about)) || `The operations of ${name}.`,
    kind: 'page',
    group: REST,
    text: () => {
      const { operations, roots, types } = own();
      const fields = fieldTables(reference, '###', roots);
      return lines(
        `# ${plain(name)}`,
        about,
        '## REST',
        operationTable(reference, operations),
        ...(fields.length > 0 ? ['## GraphQL', ...fields] : []),
        ...typeList(reference, '## Types', types),
      );
    },
  };
}
