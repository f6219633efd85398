import { authorize } from '../src/auth/authorize.ts';
import type { Principal } from '../src/auth/principal.ts';
import type { CompiledContract } from '../src/compiled-contract.ts';
import type { Action, ResourceDescriptor } from '../src/descriptor/resource.ts';
import { basePathOf } from '../src/rest/route-path.ts';
import { exampleOf } from './example.ts';
import type { ReadyToken } from './ready-tokens.ts';

/** What a developer sees when the server is up: where it is, lines to paste, tokens. */
export function banner(url: string, contract: CompiledContract, tokens: readonly ReadyToken[]): string {
  const base = `${url}${basePathOf(contract.document)}`;
  const { title, version } = contract.document.info;
  return [
    `${title} ${version} is served at ${base}`,
    '',
    ...tryThese(curls(base, contract, tokens)),
    `Also: ${url}/livez and ${url}/readyz`,
    '      npm run --silent token -- --sub ID --scope "A B"   another token',
    '      npm run generate                                   after a change of the contract',
    '',
  ].join('\n');
}

const tryThese = (lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['Try:', ...lines.map((line) => `  ${line}`), ''];

function curls(base: string, { document, resources }: CompiledContract, tokens: readonly ReadyToken[]): string[] {
  const lists = resources.filter((resource) => !resource.parent && resource.actions.list);
  const open = lists.find((resource) => mayCall(resource, 'list', undefined));
  const closed = lists.filter((resource) => !mayCall(resource, 'list', undefined));
  const lines = open ? [`curl '${base}${open.path}?limit=2'`] : [];
  const caller = tokens[0];
  const own = caller && closed.findLast((resource) => mayCall(resource, 'list', caller));
  if (own) lines.push(`curl '${base}${own.path}?limit=2' ${bearer(caller)}`);
  return [...lines, ...creation(base, document, resources, tokens)];
}

/** The first resource that can be created by its own examples, and someone who may. */
function creation(
  base: string,
  document: CompiledContract['document'],
  resources: readonly ResourceDescriptor[],
  tokens: readonly ReadyToken[],
): string[] {
  const names = resources.filter((resource) => !resource.parent && resource.actions.create && isFree(resource));
  for (const resource of names) {
    const caller = [undefined, ...tokens].find((one) => mayCall(resource, 'create', one));
    if (caller === undefined && !mayCall(resource, 'create', undefined)) continue;
    const body = exampleOf(document, { $ref: `#/components/schemas/${resource.schemas.input}` });
    const data = `-H 'Content-Type: application/json' -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`;
    return [`curl '${base}${resource.path}' ${caller ? `${bearer(caller)} ` : ''}${data}`];
  }
  return [];
}

/** Needs no other resource and is nobody's own. */
const isFree = ({ owner, properties }: ResourceDescriptor): boolean =>
  !owner && properties.every(({ references, required, nullable }) => !references || !required || nullable);

const bearer = ({ token }: ReadyToken): string => `-H 'Authorization: Bearer ${token}'`;

function mayCall(resource: ResourceDescriptor, action: Action, caller: ReadyToken | undefined): boolean {
  try {
    authorize(resource.actions[action]!.access, caller && principalOf(caller));
    return true;
  } catch {
    return false;
  }
}

function principalOf({ subject, scope }: ReadyToken): Principal {
  return { subject, scopes: new Set(scope.split(' ')), expiresAtMs: Number.POSITIVE_INFINITY };
}
