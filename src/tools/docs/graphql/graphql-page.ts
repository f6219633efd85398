import {
  buildSchema,
  type GraphQLField,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
} from 'graphql';
import type { GraphqlOperation } from '../../../compiler/emit/graphql-operations.ts';
import { type RootKind, rootFields } from '../../../compiler/emit/root-fields.ts';
import type { ContractModel } from '../../../compiler/model/model.ts';
import { code, escaped, inline, rendered, table } from '../layout/markdown.ts';
import type { Page } from '../layout/page.ts';

/** Where things are that the page links to. */
export interface GraphqlLinks {
  readonly endpoint: string;
  /** The path of GraphiQL, seen from the page. */
  readonly graphiql: string;
  /** The path of a REST operation, seen from the page. */
  readonly rest: (operationId: string) => string;
}

const TITLES: Readonly<Record<RootKind, string>> = {
  query: 'Queries',
  mutation: 'Mutations',
  subscription: 'Subscriptions',
};

/** Every operation with a document to run, its variables and an answer; then every type. */
export function graphqlPage(model: ContractModel, operations: readonly GraphqlOperation[], links: GraphqlLinks): Page {
  const introduction = `# GraphQL

Every operation, at ${code(links.endpoint)}, by POST as JSON: \`{ "query", "variables" }\`. Subscriptions run over WebSocket
(\`graphql-transport-ws\`) and server-sent events. The schema is there [as SDL](schema.graphql).
`;
  const groups = [...Map.groupBy(operations, ({ kind }) => kind)];
  const types = typesText(model.graphql!.sdl);
  const text = groups.map(
    ([kind, own]) => `## ${TITLES[kind]}\n\n${own.map((one) => operationText(one, links)).join('\n')}`,
  );
  const body = groups.map(
    ([kind, own]) =>
      `<h2 id="${kind}-fields">${TITLES[kind]}</h2>\n${own.map((one) => operationHtml(one, links)).join('\n')}`,
  );
  return {
    path: 'docs/graphql.html',
    title: 'GraphQL',
    text: `${introduction}\n${text.join('\n')}\n${types}`,
    body: `${under('page', rendered(introduction))}${body.join('\n')}${under('type', rendered(types))}`,
  };
}

/** Headings with fragments of their own: those of fields are their names, which have no hyphen. */
const under = (prefix: string, html: string): string =>
  html.replace(/<(h[123]) id="([^"]*)"(.*?) href="#\2"/g, `<$1 id="${prefix}-$2"$3 href="#${prefix}-$2"`);

/** GraphiQL with an operation in its editors: in the fragment, which no server sees. */
function graphiqlLink({ document, variables }: GraphqlOperation, { graphiql }: GraphqlLinks): string {
  const link = new URLSearchParams({ document, variables: JSON.stringify(variables, undefined, 2) });
  return `${graphiql}#${link}`;
}

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);
const hasVariables = ({ variables }: GraphqlOperation): boolean => Object.keys(variables).length > 0;

function operationText(operation: GraphqlOperation, links: GraphqlLinks): string {
  const { field, document, variables, data, operationId } = operation;
  const rest =
    operationId === undefined ? '' : `\n\nThe same over REST: [\`${operationId}\`](${links.rest(operationId)}).`;
  return `### ${code(field.name)}

${field.description ?? ''}${rest}

${argumentTable(field)}

\`\`\`graphql
${document}
\`\`\`

${hasVariables(operation) ? `\`\`\`json\n${json(variables)}\n\`\`\`\n` : ''}
Answers:

\`\`\`json
${json({ data })}
\`\`\`
`;
}

function argumentTable({ args }: GraphQLField<unknown, unknown>): string {
  if (args.length === 0) return '';
  const rows = args.map(({ name, type, description }) => [code(name), code(String(type)), inline(description ?? '')]);
  return table(['Argument', 'Type', 'Meaning'], rows);
}

function operationHtml(operation: GraphqlOperation, links: GraphqlLinks): string {
  const { field, document, variables, data, operationId } = operation;
  const rest =
    operationId === undefined ? '' : `<a href="${escaped(links.rest(operationId))}">REST: ${escaped(operationId)}</a> `;
  const block = (title: string, text: string) =>
    `<h4>${title}</h4><pre tabindex="0"><code>${escaped(text)}</code></pre>`;
  const deprecated = field.deprecationReason ? `\n\n**Deprecated.** ${field.deprecationReason}` : '';
  return `<section class="operation">
<h3 id="${field.name}">${field.name}</h3>
<div>
${rendered(`${field.description ?? ''}${deprecated}\n\nReturns ${code(String(field.type))}.\n\n${argumentTable(field)}`)}
<p class="links">${rest}<a href="${escaped(graphiqlLink(operation, links))}">Open in GraphiQL</a></p>
</div>
<div>
${block('Document', document)}
${hasVariables(operation) ? block('Variables', json(variables)) : ''}
${block('Answer', json({ data }))}
</div>
</section>`;
}

function typesText(sdl: string): string {
  const schema = buildSchema(sdl, { assumeValid: true });
  const roots = new Set(rootFields(schema).map(({ type }) => type.name));
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => !type.name.startsWith('__') && !roots.has(type.name) && !isSpecifiedScalarType(type),
  );
  return `## Types\n\n${types.map(typeText).join('\n')}`;
}

function typeText(type: GraphQLNamedType): string {
  return `### ${code(type.name)}\n\n${type.description ?? ''}\n\n${membersOf(type)}\n`;
}

function membersOf(type: GraphQLNamedType): string {
  if (isEnumType(type))
    return table(
      ['Value', 'Meaning'],
      type.getValues().map(({ name, description }) => [code(name), inline(description ?? '')]),
    );
  if (isUnionType(type))
    return `One of ${type
      .getTypes()
      .map(({ name }) => code(name))
      .join(', ')}.`;
  if (!isObjectType(type) && !isInputObjectType(type)) return '';
  const fields = Object.values(type.getFields()) as readonly GraphQLField<unknown, unknown>[];
  return table(
    ['Field', 'Type', 'Meaning'],
    fields.map(({ name, args = [], type: answer, description }) => [
      code(args.length > 0 ? `${name}(${args.map((one) => one.name).join(', ')})` : name),
      code(String(answer)),
      inline(description ?? ''),
    ]),
  );
}
