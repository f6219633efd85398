import { shellText } from '../../../tools/shell-text.ts';
import { isJson, type Sample } from './sample.ts';

/** A line for a shell; the token is in `$TOKEN`. */
export function curlSample({ method, url, headers, needsToken, body }: Sample): string {
  // curl writes the boundary of a multipart body itself.
  const parts = body?.type.startsWith('multipart/') ? body.fields : undefined;
  const all = [
    // curl takes brackets for ranges of its own.
    `curl ${FLAGS[method] ?? `-X ${method} `}${/[[\]{}]/.test(url) ? '-g ' : ''}${shellText(url)}`,
    ...(needsToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...headers
      .filter(([name]) => !(parts && name === 'Content-Type'))
      .map(([name, value]) => `-H ${shellText(`${name}: ${value}`)}`),
    ...(parts ?? []).map(([name, value]) => `--form-string ${shellText(`${name}=${value}`)}`),
    ...(body && !parts ? [`${isJson(body.type) ? '-d' : '--data-binary'} ${shellText(body.text)}`] : []),
  ];
  return all.join(' \\\n  ');
}

/** Of methods that are more than a name to curl. */
const FLAGS: Readonly<Record<string, string>> = { GET: '', HEAD: '-I ' };
