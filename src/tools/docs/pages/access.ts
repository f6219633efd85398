import type { ContractModel } from '../../../compiler/model/model.ts';
import { code, table } from '../layout/markdown.ts';
import { markdownPage, type Page } from '../layout/page.ts';

/** A table of operations and the scopes that allow them. */
export function accessPage({ operations }: ContractModel): Page {
  const scopes = [
    ...new Set(
      operations.flatMap(({ access }) => access.anyOf.flatMap(({ schemes }) => schemes.flatMap((one) => one.scopes))),
    ),
  ].sort();
  const rows = operations.map(({ operationId, method, path, access }) => {
    const alternatives = access.anyOf.map(({ schemes }) => schemes.flatMap((one) => one.scopes));
    const isPublic = access.anyOf.length === 0 || access.anyOf.some(({ schemes }) => schemes.length === 0);
    const isOpen = alternatives.some((one) => one.length === 0);
    return [
      code(operationId),
      code(`${method.toUpperCase()} ${path}`),
      isPublic ? 'no token' : isOpen ? 'a token' : '',
      ...scopes.map((scope) => {
        const holders = alternatives.filter((one) => one.includes(scope));
        if (holders.length === 0) return '';
        return holders.some((one) => one.length === 1) ? '✓' : 'with others';
      }),
    ];
  });
  return markdownPage(
    'docs/access.html',
    'Access',
    `# Access

Who may call which operation. Each scope marked ✓ is sufficient by itself. Credentials are checked on each request, before
anything else in it is read: without them the error is [\`UNAUTHENTICATED\`](../errors/UNAUTHENTICATED.html), without the scope it is [\`FORBIDDEN\`](../errors/FORBIDDEN.html). The
same applies to the GraphQL fields of each operation.

${table(['Operation', 'Request', 'Open to', ...scopes.map(code)], rows)}

Some resources also have owner rules: see [resources](resources.html).
`,
  );
}
