import { stringify } from 'yaml';
import { PAGE_INFO as PAGE_INFO_TYPE, printDefinition } from '../../compiler/graphql/convention/index.ts';
import { upperFirst } from '../../compiler/model/index.ts';
import { COMMANDS } from '../../tools/commands.ts';
import { withEditorLine } from '../sync/editor-line.ts';
import { COUNT_PARAMETER, limitParameter } from '../sync/openapi-resource.ts';
import { type PackageManager, scriptWith } from './package-manager.ts';

/** The files of a new project, by path. `version` is that of Lockstep. */
export function starterFiles(name: string, version: string, manager: PackageManager): ReadonlyMap<string, string> {
  // The scope of a name such as `@acme/notes` does not belong to the title.
  const title = upperFirst(name.replace(/^.*\//, '')).replaceAll('-', ' ');
  const files = [
    ['package.json', `${JSON.stringify(manifest(name, version), undefined, 2)}\n`],
    ['tsconfig.json', TSCONFIG],
    ['codegen.ts', CODEGEN],
    ['.gitignore', 'node_modules/\ndata/\ndist/\n*.log\n'],
    ['README.md', readme(title, manager)],
    ['contracts/openapi.yaml', openapi(title)],
    ['contracts/graphql/schema.graphql', SDL],
    ['contracts/parameters/Limit.yaml', stringify(limitParameter(), { lineWidth: 0 })],
    ['contracts/parameters/Cursor.yaml', CURSOR],
    ['contracts/parameters/Count.yaml', stringify(COUNT_PARAMETER, { lineWidth: 0 })],
    ['contracts/parameters/IdempotencyKey.yaml', IDEMPOTENCY_KEY],
    ['contracts/parameters/IfMatch.yaml', IF_MATCH],
    [
      'contracts/schemas/Id.yaml',
      'description: A UUIDv7 (RFC 9562); ids sort by time of creation.\ntype: string\nformat: uuid\n',
    ],
    ['contracts/schemas/Version.yaml', VERSION],
    ['contracts/schemas/Timestamp.yaml', 'description: A time in UTC (RFC 3339).\ntype: string\nformat: date-time\n'],
    ['contracts/schemas/PageInfo.yaml', PAGE_INFO],
    ['src/handlers/index.ts', HANDLERS],
    ['test/notes.test.ts', TEST],
  ] as const;
  return new Map(
    files.map(([path, text]) => [path, /^contracts\/.*\.yaml$/.test(path) ? described(path, text) : text]),
  );
}

const described = (path: string, text: string): string =>
  withEditorLine(path.slice('contracts/'.length), text, '../generated');

/** Yarn's Plug'n'Play finds packages by a patch of TypeScript, which the native one does not take. */
const TYPESCRIPT = 'pnp' in process.versions ? '5.9.3' : '7.0.2';

/** They are scripts of a project under the same names. */
const OWN_COMMANDS = COMMANDS.filter(({ place }) => place === 'both').map(({ name }) => name);

function manifest(name: string, version: string): object {
  return {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    scripts: {
      ...Object.fromEntries(OWN_COMMANDS.map((command) => [command, `lockstep ${command}`])),
      test: 'vitest run',
      types: 'tsc',
      check: 'lockstep contract && tsc',
    },
    dependencies: { lockstep: version },
    // Yarn installs no peers: `vite` is vitest's.
    devDependencies: { '@types/node': '^26.0.0', typescript: TYPESCRIPT, vite: '8.3.8', vitest: '5.1.0' },
  };
}

const TSCONFIG = `{
  "compilerOptions": {
    "target": "es2024",
    "module": "nodenext",
    "types": ["node"],
    "noEmit": true,
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "exactOptionalPropertyTypes": true,
    "erasableSyntaxOnly": true,
    "verbatimModuleSyntax": true,
    "allowImportingTsExtensions": true,
    "skipLibCheck": true
  },
  "include": ["src", "test", "generated", "*.ts"],
  "exclude": ["generated/sdk"]
}
`;

const CODEGEN = `import { lockstepCodegen } from 'lockstep/codegen';

/**
 * The TypeScript of the GraphQL schema, in \`generated/types/graphql.ts\`. To have more, install a plugin
 * (https://the-guild.dev/graphql/codegen/plugins) and name an output file for it:
 *
 *   lockstepCodegen({ generates: { 'generated/introspection.json': { plugins: ['introspection'] } } })
 */
export default lockstepCodegen();
`;

function readme(title: string, manager: PackageManager): string {
  const commands = [
    [`${scriptWith(manager, 'new')} resource authors 'name:string!' 'born:date'`, 'a resource in both contracts'],
    [`${scriptWith(manager, 'sync')} --dry-run`, 'the missing parts of each contract'],
    [`${manager} run contract`, 'lint, conventions, parity, drift, breaking changes'],
    [`${manager} run check`, 'the same, and the types'],
    [`${manager} run test`, 'your handlers, in the real server'],
  ] as const;
  return `# ${title}

    ${manager} install
    ${manager} run dev

serves REST and GraphQL from the two contracts in \`contracts/\` and restarts on every change. The terminal shows commands to try
and the address of the documentation.

${commands.map(([command, what]) => `    ${command.padEnd(64)}# ${what}`).join('\n')}

Your own rules go into \`src/handlers/\`: one typed function, used by both protocols, for each action that you override.
\`test/notes.test.ts\` shows how they are tested.
`;
}

/** A contract without paths, for callers with tokens. */
export const openapi = (
  title: string,
  description = 'What this API is for, and who uses it.',
): string => `openapi: 3.1.0
info:
  title: ${stringify(title).trim()}
  version: 0.1.0
  description: ${stringify(description, { lineWidth: 0 }).trim()}
  license:
    name: Proprietary
    url: https://example.com/license
servers:
  - url: /v1
    description: This server.
security:
  - bearer: []
tags: []
paths: {}
components:
  securitySchemes:
    bearer:
      type: http
      scheme: bearer
      bearerFormat: JWT
      description: A JSON Web Token (RFC 7519). \`sub\` is the caller's id, \`scope\` a list of scopes separated by spaces.
`;

const SDL = `"The same service as the REST API, with the same resources, rules, errors and limits."
schema @limits(depth: 10, cost: 1000) {
  query: Query
  mutation: Mutation
  subscription: Subscription
}

"Reads."
type Query

"Changes."
type Mutation

"Events of committed changes, whichever protocol they were made over."
type Subscription

"A time in UTC (RFC 3339, date-time)."
scalar DateTime @specifiedBy(url: "https://www.rfc-editor.org/rfc/rfc3339#section-5.6")

${printDefinition(PAGE_INFO_TYPE)}
`;

const CURSOR = `name: cursor
in: query
description: Where the page starts, from \`page.nextCursor\` of the previous page. It is valid for the same filters and order only.
schema:
  type: string
  minLength: 1
  maxLength: 2048
`;

const IDEMPOTENCY_KEY = `name: Idempotency-Key
in: header
description: Within a day, repeating a request with the same key creates nothing and returns the first answer.
schema:
  type: string
  minLength: 1
  maxLength: 257
`;

const IF_MATCH = `name: If-Match
in: header
description: The change is made only if the resource has this entity tag; otherwise the error is 412.
schema:
  type: string
  maxLength: 1000
`;

const VERSION = `description: 1 on creation, incremented by each change.
type: integer
minimum: 1
maximum: 9007199254740991
`;

/** The schema of the information on a page. */
export const PAGE_INFO = `description: Where the next page starts.
type: object
properties:
  nextCursor:
    description: The \`cursor\` of the next page; null on the last one.
    type: [string, 'null']
    maxLength: 2048
  totalCount:
    description: Number of matching entries, or the maximum where there are more; present when \`count\` is true.
    type: integer
    minimum: 0
    maximum: 10000
  totalCountIsExact:
    description: Whether there are no more entries than \`totalCount\`; present when \`count\` is true.
    type: boolean
required: [nextCursor]
`;

const HANDLERS = `import type { Handlers } from '../../generated/handlers.ts';

/** Overrides of actions, and one handler for each custom operation. */
export const handlers = {} satisfies Handlers;
`;

const TEST = `import { serve } from 'lockstep/testing';
import { expect, test } from 'vitest';
import { handlers } from '../src/handlers/index.ts';

// The real server with your handlers, on an empty database, without a port.
test('a note that is created over REST is listed over GraphQL', async () => {
  await using service = await serve({ contracts: 'contracts', handlers });
  const ada = service.as({ sub: 'ada', scope: 'notes:read notes:write' });

  const created = await ada.post<{ title: string }>('/notes', { title: 'First', status: 'OPEN' });
  expect(created).toMatchObject({ status: 201, body: { title: 'First' } });

  const { data } = await ada.graphql('{ notes { nodes { title } } }');
  expect(data).toEqual({ notes: { nodes: [{ title: 'First' }] } });
  // The first test loads the compiler, too.
}, 30_000);

test('notes are for callers with a token', async () => {
  await using service = await serve({ contracts: 'contracts', handlers });
  expect((await service.anonymous.get('/notes')).status).toBe(401);
});
`;
