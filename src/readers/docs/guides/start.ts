import { packageNameOf } from '../../../compiler/emit/sdk/sdk-package.ts';
import type { ContractModel } from '../../../compiler/model/model.ts';
import { securityScheme, securitySchemes } from '../../../compiler/model/security-schemes.ts';
import { admitsAnonymous } from '../../../descriptor/access.ts';
import { isBearer } from '../../../descriptor/bearer.ts';
import type { SecurityScheme } from '../../../descriptor/document.ts';
import { declaredAction, isOfCaller } from '../../../descriptor/resource.ts';
import { comparedIn } from '../../../descriptor/row-access.ts';
import { scopesOf } from '../../../tools/token/index.ts';
import { link } from '../layout/links.ts';
import { block, code, items, lines } from '../layout/markdown.ts';
import { EACH, type Guide, guidePath } from './guide.ts';

export const firstCall: Guide = {
  name: 'first-call',
  title: 'The first call',
  description: 'Where the API is, and a call that works.',
  words: [
    'getting started',
    'get started',
    'quickstart',
    'quick start',
    'start',
    'begin',
    'hello world',
    'base url',
    'endpoint',
    'first request',
    'introduction',
  ],
  text(shown, { addresses, model }) {
    const resource = shown.resource(['list']);
    return lines(
      `REST is at ${code(addresses.base)}${model.graphql ? `, GraphQL at ${code(addresses.endpoint)}` : ''}.`,
      resource &&
        [
          shown.curl(resource, 'list', { query: { limit: 2 } }),
          shown.list(
            resource,
            (list) => `const { data } = await ${list}.page();
console.log(data);`,
          ),
          shown.others(resource, 'list'),
          shown.graphql(resource, 'list'),
        ].join('\n'),
      resource &&
        isClosed(model) &&
        `${shown.request(resource, 'list').needsToken ? 'It takes a token' : 'Anyone may make this call; others take a token'}: ${link('Signing in', guidePath('tokens'))} says where to get one.`,
      '## Where to go on',
      items([
        `${link('REST', 'docs/rest.html')} has every operation${model.graphql ? `, ${link('GraphQL', 'docs/graphql.html')} every field` : ''}.`,
        `${link('Errors', 'docs/errors.html')}: what may go wrong, by code.`,
        `${link('Clients', guidePath('clients'))} for four languages.`,
      ]),
    );
  },
};

/** Whether there is anything that takes a token. */
const isClosed = ({ operations }: ContractModel): boolean => operations.some(({ access }) => !admitsAnonymous(access));

/** Where credentials of a scheme go. */
function placeOf(scheme: SecurityScheme): string {
  if (scheme.type === 'apiKey') return `A key in the ${String(scheme['in'])} ${code(String(scheme['name']))}.`;
  return isBearer(scheme)
    ? 'A bearer token.'
    : `Credentials of ${code(`${scheme.type} ${scheme.scheme ?? ''}`.trim())}.`;
}

export const tokens: Guide = {
  name: 'tokens',
  title: 'Signing in and getting a token',
  description: 'Where the token of a request comes from, where it goes, and what its scopes allow.',
  words: [
    'token',
    'get a token',
    'sign in',
    'login',
    'log in',
    'authentication',
    'authenticate',
    'auth',
    'authorization',
    'jwt',
    'bearer',
    'api key',
    'oauth',
    'scope',
    'scopes',
    'permission',
    'permissions',
    'credentials',
    'password',
  ],
  text(shown, { model }) {
    const schemes = Object.keys(securitySchemes(model.document)).flatMap((name) => {
      const scheme = securityScheme(model.document, name);
      return scheme ? [[name, scheme] as const] : [];
    });
    if (!isClosed(model)) return undefined;
    const bearer = schemes.some(([, scheme]) => isBearer(scheme));
    const resource = shown.resource(['list'], (one) => !admitsAnonymous(declaredAction(one, 'list').access));
    const scopes = scopesOf(model).sort();
    const claims = claimsOf(model);
    return lines(
      bearer &&
        `A request carries a token in the header ${code('Authorization: Bearer …')}. Tokens are JSON Web Tokens (RFC 7519), issued by whoever runs this API for its callers: ask them where yours come from. A server that is started for development prints one for each kind of caller, and ${code('npm run token')} makes more.`,
      bearer &&
        resource &&
        [
          shown.curl(resource, 'list', { query: { limit: 2 } }),
          shown.list(resource, (list) => `console.log(await ${list}.page());`),
          shown.others(resource, 'list'),
        ].join('\n'),
      bearer &&
        model.graphql &&
        'GraphQL takes the same header; over a WebSocket the token is `authorization` in `connection_init`.',
      ...schemes.flatMap(([name, scheme]) => [
        `## ${code(name)}`,
        placeOf(scheme),
        String(scheme['description'] ?? ''),
      ]),
      scopes.length > 0 && '## Scopes',
      scopes.length > 0 &&
        `The claim ${code('scope')} of a token has its scopes, with spaces between: ${scopes.map(code).join(', ')}. ${link('Access', 'docs/access.html')} says what each opens.`,
      bearer && claims.length > 0 && '## Claims',
      bearer && items(claims),
      '## When it is refused',
      items([
        `Without a token, or with one that has expired: 401, ${link(code('UNAUTHENTICATED'), 'errors/UNAUTHENTICATED.html')}.`,
        `With a token that lacks a scope: 403, ${link(code('FORBIDDEN'), 'errors/FORBIDDEN.html')}.`,
      ]),
    );
  },
};

/** What rules of rows read in a token beside its scopes. */
function claimsOf({ resources }: ContractModel): string[] {
  const tenants = resources.flatMap(({ tenant }) => tenant?.claim.join('.') ?? []);
  const own = resources.filter(isOfCaller);
  const compared = comparedIn(resources)
    .flatMap(({ value }) => ('claim' in value ? [value.claim.join('.')] : []))
    .filter((claim) => claim !== 'sub' && !tenants.includes(claim));
  return [
    ...[...new Set(tenants)].map((claim) => `${code(claim)} names the tenant whose rows a caller sees and makes.`),
    ...[...new Set(compared)].map((claim) => `${code(claim)} is what rules of rows compare.`),
    ...own.map(
      ({ name }) =>
        `${code('sub')} is the ${code('id')} of a caller's own ${code(name)}, which a caller without one creates.`,
    ),
  ].map((text) => `The claim ${text}`);
}

export const clients: Guide = {
  name: 'clients',
  title: 'Clients for your language',
  description: 'Typed clients, and how to make one with other generators.',
  words: [
    'client',
    'clients',
    'sdk',
    'sdks',
    'library',
    'libraries',
    'package',
    'npm',
    'typescript',
    'javascript',
    'python',
    'go',
    'java',
    'rust',
    'kotlin',
    'generate',
    'generator',
    'codegen',
    'openapi',
  ],
  text(shown, { model }) {
    const resource = shown.resource(['list']);
    return lines(
      `The client for TypeScript is ${code(packageNameOf(model))}, made from the same contract as the API; ${link('Downloads', 'docs/downloads.html')} has it.`,
      'Clients for Python, Go and Java are made from the contract, too, with the same errors, pages, retries and tokens.',
      resource && [shown.list(resource, EACH), shown.others(resource, 'list')].join('\n'),
      block('sh', 'npm run clients -- --language python'),
      `Any other generator reads the ${link('OpenAPI document', 'docs/openapi.json')}${model.graphql ? ` or the ${link('GraphQL schema', 'docs/schema.graphql')}` : ''}.`,
    );
  },
};
