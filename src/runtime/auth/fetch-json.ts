/** Many times as much as what issuers publish. */
const MAX_BYTES = 1_048_576;

/** The JSON at a URL. Redirects are not followed. Rejects for any other status than 200, for anything but JSON, and for more than 1 MiB. */
export async function fetchJson(url: URL, accept: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, { headers: { accept }, redirect: 'manual', signal });
  if (response.status === 200 && response.body) return JSON.parse(await textOf(response.body, url));
  await response.body?.cancel();
  throw new Error(`${url} answered with status ${response.status}, not 200`);
}

async function textOf(body: ReadableStream<Uint8Array>, url: URL): Promise<string> {
  const parts: Uint8Array[] = [];
  const reader = body.getReader();
  let bytes = 0;
  for (let { done, value: part } = await reader.read(); !done && part; { done, value: part } = await reader.read()) {
    bytes += part.length;
    if (bytes > MAX_BYTES) throw new Error(`${url} answered with more than ${MAX_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
