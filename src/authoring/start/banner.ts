import { basePathOf } from '../../descriptor/base-path.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { AnyHandlers } from '../../runtime/wiring.ts';
import type { Call } from './call.ts';
import { curlCalls } from './curl-lines.ts';
import { customOperations } from './custom-operations.ts';
import { graphqlCall } from './graphql-lines.ts';
import { type ReadyToken, variableOf } from './ready-tokens.ts';

const MAX_NAMED = 5;

export interface Served {
  /** Without a trailing slash. */
  readonly url: string;
  readonly contract: CompiledContract;
  /** The least powerful first. */
  readonly tokens: readonly ReadyToken[];
  /** Callers for samples that no other may send. */
  readonly others?: readonly ReadyToken[];
  readonly handlers: AnyHandlers | undefined;
  /** Whether `npm run token` makes tokens that this server accepts. */
  readonly canSign: boolean;
  /** Whether the page to try GraphQL in is served. */
  readonly hasGraphiql: boolean;
}

/**
 * What a developer sees when the server is up, in at most twenty lines: where it is, calls to paste by who makes them,
 * operations that have no handler. One text, so that no log line comes in between.
 */
export function banner(served: Served): string {
  const { contract, tokens, others = [] } = served;
  const base = `${served.url}${basePathOf(contract.document)}`;
  const calls = [...curlCalls(base, served), ...graphqlCall(served.url, contract, tokens)];
  const { title, version } = contract.document.info;
  return [
    '',
    `${title} ${version} is served at ${base}`,
    ...pages(served),
    ...unserved(served),
    '',
    ...section('Anyone may call:', linesOf(calls, undefined)),
    ...[...others, ...tokens].flatMap((caller) => asCaller(caller, calls)),
    `Ctrl-C stops it.${served.canSign ? ' For another token: npm run --silent token -- --sub ID --scope "A B"' : ''}`,
  ].join('\n');
}

const pages = ({ url, contract, tokens, hasGraphiql }: Served): string[] => [
  `Documentation: ${url}/`,
  ...(hasGraphiql && contract.graphql ? [`GraphiQL: ${url}/graphiql${tokens.length > 0 ? HEADERS_HINT : ''}`] : []),
];

const HEADERS_HINT = ', with a token under Headers as {"authorization": "Bearer …"}';

/** The token goes into a shell variable: it is as long as it is, and the lines below it stay readable. */
function asCaller(caller: ReadyToken, calls: readonly Call[]): string[] {
  const scopes = caller.scope.split(' ').filter((scope) => scope !== '');
  const may = scopes.length > 0 ? `(${abridged(scopes)})` : 'without scopes';
  const lines = [`${variableOf(caller)}=${caller.token}`, ...linesOf(calls, caller)];
  return section(`As the ${caller.role} ${caller.subject} ${may}:`, lines);
}

const linesOf = (calls: readonly Call[], caller: ReadyToken | undefined): string[] =>
  calls.filter((call) => call.caller === caller).flatMap(({ lines }) => lines);

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`), ''];

function unserved({ contract, handlers }: Served): string[] {
  const names = customOperations(contract, handlers).unserved.map(({ operationId }) => operationId);
  return names.length === 0 ? [] : [`Without a handler, and so answered 501: ${abridged(names)}`];
}

/** The first few names, and how many more there are. */
function abridged(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return names.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
