import type { Access } from '../../descriptor/access.ts';
import type { RestDescriptor } from '../../descriptor/rest.ts';
import { shellText } from '../../tools/shell-text.ts';
import { isPermitted } from './permission.ts';
import { type ReadyToken, variableOf } from './ready-tokens.ts';

/** A request for a shell, which succeeds when it is pasted. */
export interface Call {
  /** Who makes it; undefined: it needs no token. */
  readonly caller: ReadyToken | undefined;
  /** One command, continued from line to line. */
  readonly lines: readonly string[];
}

/**
 * A request by the least powerful caller who may make it; none when nobody may. The caller's token is expected in a shell
 * variable. `body`: JSON to post.
 */
export function callOf(
  rest: RestDescriptor,
  tokens: readonly ReadyToken[],
  access: Access,
  url: string,
  body?: unknown,
): Call[] {
  const isOpen = isPermitted(rest, access, undefined);
  const caller = isOpen ? undefined : tokens.find((token) => isPermitted(rest, access, token));
  if (!isOpen && !caller) return [];
  const authorization = caller ? ` -H "Authorization: Bearer $${variableOf(caller)}"` : '';
  const request = `curl '${url}'${authorization}`;
  if (body === undefined) return [{ caller, lines: [request] }];
  const data = `  -H 'Content-Type: application/json' -d ${shellText(JSON.stringify(body))}`;
  return [{ caller, lines: [`${request} \\`, data] }];
}
