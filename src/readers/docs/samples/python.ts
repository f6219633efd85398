import { pythonLiteral } from '../../clients/samples.ts';
import { isJson, quoted, type Sample } from './sample.ts';

/** A program in Python 3.9 or newer, with its standard library; the token is in the environment. */
export function pythonSample(sample: Sample): string {
  const { method, url, needsToken, body } = sample;
  const isObject = body !== undefined && isJson(body.type);
  const modules = [...(isObject ? ['json'] : []), ...(needsToken ? ['os'] : [])];
  const headers = headersOf(sample);
  return `${modules.map((name) => `import ${name}\n`).join('')}from urllib.request import Request, urlopen

${isObject ? `body = ${pythonLiteral(JSON.parse(body.text))}\n` : ''}request = Request(
    ${quoted(url)},
    method=${quoted(method)},
${headers.length > 0 ? `    headers={\n${headers.join('')}    },\n` : ''}${dataOf(body, isObject)})
with urlopen(request) as response:
    print(response.status, response.read().decode())
`;
}

function headersOf({ headers, needsToken }: Sample): readonly string[] {
  return [
    ...(needsToken ? ['        "Authorization": f"Bearer {os.environ[\'TOKEN\']}",\n'] : []),
    ...headers.map(([name, value]) => `        ${quoted(name)}: ${quoted(value)},\n`),
  ];
}

function dataOf(body: Sample['body'], isObject: boolean): string {
  if (!body) return '';
  return isObject ? '    data=json.dumps(body).encode(),\n' : `    data=${quoted(body.text)}.encode(),\n`;
}
