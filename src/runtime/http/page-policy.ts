import { createHash } from 'node:crypto';

/** What a page and its scripts may do (Content Security Policy, https://www.w3.org/TR/CSP3/), as far as it is allowed anything. */
export const pagePolicy = (allowed: Readonly<Record<string, string>>): string =>
  Object.entries({ 'default-src': "'none'", ...allowed, 'base-uri': "'none'", 'form-action': "'none'" })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');

/** The sources that let exactly these scripts run, which stand in a page itself. */
export const scriptHashes = (scripts: readonly string[]): string =>
  scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`).join(' ');

/** How a page states its policy, wherever it is served. */
export const policyElement = (policy: string): string =>
  `<meta http-equiv="Content-Security-Policy" content="${policy}">`;

const STATED = new RegExp(policyElement('([^"]*)'));

/** The field with the policy that a page states at its beginning, or else with one that allows nothing. Nobody may frame it. */
export function policyField(page: string): { readonly 'content-security-policy': string } {
  const [, policy = pagePolicy({})] = STATED.exec(page) ?? [];
  return { 'content-security-policy': `${policy}; frame-ancestors 'none'` };
}
