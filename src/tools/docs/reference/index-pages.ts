import type { RootKind } from '../../../compiler/emit/root-fields.ts';
import type { OperationModel } from '../../../compiler/model/model.ts';
import { namedSchemas } from '../../../compiler/model/schemas.ts';
import { tagOf } from '../../../descriptor/document.ts';
import { link } from '../layout/links.ts';
import { code, firstSentence, inline, items, lines, plain, table } from '../layout/markdown.ts';
import type { Page } from '../layout/page.ts';
import type { Reference } from './reference.ts';

/** The operations of REST, and those of GraphQL: where the pages of each are. */
export const indexPages = (reference: Reference): readonly Page[] => [
  restIndex(reference),
  ...(reference.model.graphql ? [graphqlIndex(reference)] : []),
];

function restIndex(reference: Reference): Page {
  const { model, addresses, places } = reference;
  const groups = Map.groupBy(model.operations, ({ node }) => tagOf(node));
  const schemas = Object.keys(namedSchemas(model.document));
  return {
    path: 'docs/rest.html',
    title: 'REST',
    description: 'Every operation of REST, and every schema.',
    kind: 'page',
    scripts: ['moved.js'],
    text: () =>
      lines(
        '# REST',
        `Every operation, at ${code(addresses.base)}. The whole is there as an ${link('OpenAPI document', 'docs/openapi.json')}, and ${link('to try out', 'docs/console.html')}.`,
        ...[...groups]
          .toSorted(([a], [b]) => Number(a !== '') - Number(b !== ''))
          .flatMap(([tag, own]) => [
            tag !== '' && `## ${plain(tag)}`,
            tag !== '' && aboutTag(reference, tag),
            table(
              ['Request', 'Operation', 'What it does'],
              own.map((one) => row(reference, one)),
            ),
          ]),
        schemas.length > 0 && '## Schemas',
        items(schemas.map((name) => link(code(name), places.type(name)))),
      ),
  };
}

/** What the document says of a tag. */
export function aboutTag({ model }: Reference, name: string): string {
  const tags = (model.document['tags'] ?? []) as readonly { readonly name: string; readonly description?: string }[];
  return tags.find((tag) => tag.name === name)?.description ?? '';
}

function row({ places }: Reference, { operationId, method, path, node }: OperationModel): string[] {
  const { summary = '' } = node as { readonly summary?: string };
  return [
    code(`${method.toUpperCase()} ${path}`),
    link(code(operationId), places.operation(operationId)),
    inline(`${node.deprecated ? '**Deprecated.** ' : ''}${summary}`),
  ];
}

const TITLES: Readonly<Record<RootKind, string>> = {
  query: 'Queries',
  mutation: 'Mutations',
  subscription: 'Subscriptions',
};

function graphqlIndex(reference: Reference): Page {
  const { model, addresses, places } = reference;
  const shared = model.operations.flatMap(({ operationId }) =>
    reference.fieldsOf(operationId).map((root) => ({ ...root, path: `${places.operation(operationId)}#graphql` })),
  );
  const alone = reference.fieldsAlone.map((root) => ({ ...root, path: places.field(root.field.name) }));
  const groups = Map.groupBy([...shared, ...alone], ({ kind }) => kind);
  const kinds = (Object.keys(TITLES) as RootKind[]).flatMap((kind) => {
    const own = groups.get(kind);
    return own ? [{ kind, own }] : [];
  });
  return {
    path: 'docs/graphql.html',
    title: 'GraphQL',
    description: 'Every query, mutation and subscription, and every type.',
    kind: 'page',
    scripts: ['moved.js'],
    text: () =>
      lines(
        '# GraphQL',
        `Every operation, at ${code(addresses.endpoint)}, by POST as JSON: \`{ "query", "variables" }\`. The whole is there as a ${link('schema (SDL)', 'docs/schema.graphql')}, and to try out in ${link('GraphiQL', addresses.graphiql)}.`,
        ...kinds.flatMap(({ kind, own }) => [
          `## ${TITLES[kind]}`,
          table(
            ['Field', 'Answers', 'What it does'],
            own.map(({ field, path }) => [
              link(code(field.name), path),
              code(String(field.type)),
              inline(firstSentence(field.description ?? '')),
            ]),
          ),
        ]),
        '## Types',
        items(reference.graphqlTypes.map(({ name }) => link(code(name), places.type(name)))),
      ),
  };
}
