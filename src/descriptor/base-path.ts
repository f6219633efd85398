import type { OpenApiDocument, Server } from './document.ts';

/** The URL of a server, with the defaults of its variables (OpenAPI 3.1, 4.8.6); empty without a server. */
export const serverUrl = ({ url, variables = {} }: Server = { url: '' }): string =>
  url.replaceAll(/\{([^{}]*)\}/g, (whole, name: string) => defaultOf(variables, name) ?? whole);

/** The default of a server's variable, which it must have; undefined when it has none. */
export function defaultOf(variables: Server['variables'] = {}, name: string): string | undefined {
  const declared = Object.hasOwn(variables, name) ? variables[name]?.default : undefined;
  return declared === undefined ? undefined : String(declared);
}

/** Path of the API's version below the host (`/v1`), from the first server; empty without one. */
export function basePathOf({ servers }: Pick<OpenApiDocument, 'servers'>): string {
  return URL.parse(serverUrl(servers?.[0]), 'http://host')?.pathname.replace(/\/+$/, '') ?? '';
}
