/** Values by name from a Cookie field (RFC 6265, 4.2.1), quotes removed; of a repeated name the first. */
export function parseCookies(field: string | undefined): Readonly<Record<string, string>> {
  const cookies: Record<string, string> = Object.create(null);
  for (const pair of (field ?? '').split(';')) {
    const split = pair.indexOf('=');
    if (split === -1) continue;
    const name = pair.slice(0, split).trim();
    const value = pair.slice(split + 1).trim();
    cookies[name] ??= /^".*"$/.test(value) ? value.slice(1, -1) : value;
  }
  return cookies;
}
