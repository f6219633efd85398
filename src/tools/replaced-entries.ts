import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RestDescriptor } from '../descriptor/rest.ts';
import type { AnyHandlers } from '../runtime/wiring.ts';

/** The contract and the handlers of a project, as the commands find them by default. */
const OWN = { contracts: 'contracts', handlers: 'src/handlers/index.ts' };

interface CompiledRest {
  readonly rest: RestDescriptor;
}

/** An entry of the wiring that hand-written code replaces. */
export interface ReplacedEntry {
  readonly protocol: 'REST' | 'GraphQL';
  /** The operationId, or the coordinate of the field: `Query.product`. */
  readonly name: string;
  /** Where the code is: `handlers.routes.getProduct`. */
  readonly place: string;
}

/** The code of an operation that only HTTP has replaces nothing. */
export function replacedEntries(
  { routes = {}, resolvers = {} }: AnyHandlers,
  rest: RestDescriptor | undefined,
): readonly ReplacedEntry[] {
  const ofHttp = rest?.operations.filter(({ code }) => code?.in === 'routes').map(({ operationId }) => operationId);
  const names = Object.keys(routes).filter((name) => !ofHttp?.includes(name));
  return [
    ...names.map((name) => ({ protocol: 'REST', name, place: `handlers.routes.${name}` }) as const),
    ...Object.entries(resolvers).flatMap(([type, fields = {}]) =>
      Object.keys(fields).map((field) => {
        const name = `${type}.${field}`;
        return { protocol: 'GraphQL', name, place: `handlers.resolvers.${name}` } as const;
      }),
    ),
  ];
}

/** The path of the project's own handlers; undefined without any, and for a contract that is not the project's. */
export function handlersOf(contracts: string): string | undefined {
  const path = resolve(OWN.handlers);
  return resolve(contracts) === resolve(OWN.contracts) && existsSync(path) ? path : undefined;
}

/** The handlers of a file; none if it exports none. */
export async function handlersIn(path: string): Promise<AnyHandlers> {
  const { handlers } = (await import(pathToFileURL(path).href)) as { readonly handlers?: AnyHandlers };
  return handlers ?? {};
}

/** The entries that the project's own handlers replace; none for a contract that is not the project's. */
export async function replacedIn(contracts: string, model?: CompiledRest): Promise<readonly ReplacedEntry[]> {
  const path = handlersOf(contracts);
  if (path === undefined) return [];
  return replacedEntries(await handlersIn(path), model?.rest);
}
