/** The JSON at a URL. Redirects are not followed. Rejects for any other status than 200, and for anything but JSON. */
export async function fetchJson(url: URL, accept: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, { headers: { accept }, redirect: 'manual', signal });
  if (response.status === 200) return response.json();
  await response.body?.cancel();
  throw new Error(`${url} answered with status ${response.status}, not 200`);
}
