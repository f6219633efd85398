import { isJson, type Sample } from './sample.ts';

/** A line for a shell; the token is in `$TOKEN`. */
export function curlSample({ method, url, headers, needsToken, body }: Sample): string {
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${shell(url)}`,
    ...(needsToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...headers.map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
    ...(body ? [`${isJson(body.type) ? '-d' : '--data-binary'} ${shell(body.text)}`] : []),
  ];
  return parts.join(' \\\n  ');
}

const shell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
