import type { ContractModel } from '../../../compiler/model/model.ts';
import type { ErrorCatalogue, ErrorDescriptor } from '../../../descriptor/error.ts';
import { code, inline, plain, table } from '../layout/markdown.ts';
import { markdownPage, type Page } from '../layout/page.ts';

/** A list of all error codes, and a page for each, which the `type` of a problem links to. */
export function errorPages(model: ContractModel): readonly Page[] {
  const all = Object.values(model.errors);
  return [
    markdownPage('docs/errors.html', 'Errors', listOf(model.errors)),
    ...all.map((error) => pageOf(error, model)),
  ];
}

function listOf(errors: ErrorCatalogue): string {
  const rows = Object.values(errors).map(({ code: name, status, description, retryable }) => [
    `[\`${name}\`](../errors/${name}.html)`,
    String(status),
    inline(description),
    retryable ? 'yes' : 'no',
  ]);
  return `# Errors

Every error has one of these codes, the same over REST and GraphQL. REST returns a problem (RFC 9457, \`application/problem+json\`), whose
\`type\` links to the page of its code; GraphQL has the same fields in \`extensions\`. Rely on the code, never on the text.

${table(['Code', 'Status', 'Meaning', 'The same request may succeed later'], rows)}
`;
}

function pageOf(error: ErrorDescriptor, { operations, document }: ContractModel): Page {
  const { code: name, status, title, description, retryable } = error;
  const answering = operations.filter(({ errorCodes }) => errorCodes.includes(name));
  const rows = answering.map(({ operationId, method, path }) => [
    code(operationId),
    code(`${method.toUpperCase()} ${path}`),
  ]);
  const example = {
    type: `/errors/${name}`,
    title,
    status,
    instance: answering[0]?.path ?? '/',
    code: name,
    requestId: '0af7651916cd43dd8448eb211c80319c',
  };
  const extensions = { code: name, status, requestId: example.requestId };
  return markdownPage(
    `errors/${name}.html`,
    name,
    `# \`${name}\`

**${status} ${plain(title)}.** ${description.trim()}

${retryable ? 'The same request may succeed later, unchanged.' : 'The same request will fail again unless something changes.'}

## Over REST

\`\`\`json
${JSON.stringify(example, undefined, 2)}
\`\`\`

## Over GraphQL

\`\`\`json
${JSON.stringify({ errors: [{ message: title, extensions }] }, undefined, 2)}
\`\`\`

## Operations that return it

${rows.length === 0 ? `No operation of ${plain(document.info.title)} declares it; any request can fail with it.` : table(['Operation', ''], rows)}

[All codes](../docs/errors.html)
`,
  );
}
