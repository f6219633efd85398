import { basePathOf } from '../../descriptor/base-path.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { AnyHandlers } from '../../runtime/wiring.ts';
import { curlLines } from './curl-lines.ts';
import { customOperations } from './custom-operations.ts';
import { graphqlLines } from './graphql-lines.ts';
import type { ReadyToken } from './ready-tokens.ts';

const MAX_NAMED = 5;

export interface Served {
  /** Without a trailing slash. */
  readonly url: string;
  readonly contract: CompiledContract;
  /** The least powerful first. */
  readonly tokens: readonly ReadyToken[];
  readonly handlers: AnyHandlers | undefined;
  /** Whether `npm run token` makes tokens that this server accepts. */
  readonly canSign: boolean;
  /** Whether there is documentation at `/`. */
  readonly hasSite: boolean;
  /** Whether the page to try GraphQL in is served. */
  readonly hasGraphiql: boolean;
}

/** What a developer sees when the server is up: where it is, lines to paste, what is missing. */
export function banner(served: Served): string {
  const { url, contract, canSign, hasSite } = served;
  const base = `${url}${basePathOf(contract.document)}`;
  const { title, version } = contract.document.info;
  return [
    `${title} ${version} is served at ${base}`,
    ...(hasSite ? [`Its documentation, in a browser: ${url}/`] : []),
    '',
    ...section('Try:', curlLines(base, served)),
    ...section(graphqlTitle(served), graphqlLines(url, contract, served.tokens)),
    ...section('Without a handler, answered 501:', unserved(served)),
    `Also: ${url}/livez and ${url}/readyz`,
    ...(canSign ? ['      npm run --silent token -- --sub ID --scope "A B"   another token'] : []),
    '      npm run generate                                   after a change of the contract',
    '',
  ].join('\n');
}

const graphqlTitle = ({ url, hasGraphiql }: Served): string =>
  hasGraphiql ? `GraphQL, in a browser at ${url}/graphiql (its headers are below):` : 'GraphQL:';

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`), ''];

function unserved({ contract, handlers }: Served): string[] {
  const names = customOperations(contract, handlers).unserved.map(({ operationId }) => operationId);
  const more = names.length - MAX_NAMED;
  return more > 0 ? [...names.slice(0, MAX_NAMED), `and ${more} more`] : names;
}
