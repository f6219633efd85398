import { defaultOf, serverUrl } from '../../descriptor/base-path.ts';
import { type Check, severityIn } from './rule.ts';

/** The URL of a server is one, with the defaults of its variables; it may be relative (OpenAPI 3.1, 4.8.5). */
export const serverUrlValid: Check = function* (draft) {
  for (const server of draft.document.servers ?? []) {
    const [unknown] = [...server.url.matchAll(/\{([^{}]*)\}/g)].filter(
      ([, name]) => defaultOf(server.variables, name!) === undefined,
    );
    if (!unknown && URL.canParse(serverUrl(server), 'http://host')) continue;
    yield {
      severity: severityIn(draft),
      message: unknown
        ? `The URL of this server has the variable \`${unknown[1]}\`, which has no default.`
        : `\`${serverUrl(server)}\` is no URL.`,
      hint: unknown
        ? `Write \`variables: { ${unknown[1]}: { default: … } }\` beside the URL, or leave it out: \`/v1\` is enough.`
        : 'Write a path, such as `/v1`, or an absolute URL.',
      node: server,
      key: 'url',
    };
  }
};
