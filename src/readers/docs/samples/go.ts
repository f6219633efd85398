import { goRaw } from '../../clients/samples.ts';
import { quoted, type Sample } from './sample.ts';

/** A program in Go, with its standard library; the token is in the environment. */
export function goSample({ method, url, headers, needsToken, body }: Sample): string {
  const imports = ['fmt', 'io', 'log', 'net/http', ...(needsToken ? ['os'] : []), ...(body ? ['strings'] : [])];
  const fields = [
    ...(needsToken ? ['\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))\n'] : []),
    ...headers.map(([name, value]) => `\trequest.Header.Set(${quoted(name)}, ${quoted(value)})\n`),
  ];
  return `package main

import (
${imports.map((name) => `\t"${name}"\n`).join('')})

func main() {
${body ? `\tbody := strings.NewReader(${goRaw(body.text)})\n` : ''}\trequest, err := http.NewRequest(${quoted(method)}, ${quoted(url)}, ${body ? 'body' : 'nil'})
	if err != nil {
		log.Fatal(err)
	}
${fields.join('')}	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.StatusCode, string(answer))
}
`;
}
