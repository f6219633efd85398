import { camelCase, upperFirst } from '../../../compiler/model/naming.ts';
import type { ClientInput } from '../common/client-language.ts';
import { pascalCode } from '../common/names.ts';
import type { GoNames } from './go-names.ts';

/** `README.md` of the client: the first example runs as it stands. */
export function goReadme(
  { title, baseUrl, example, errors, name }: ClientInput,
  { module, package: own }: GoNames,
): string {
  return `# ${name}

Client of ${title} for Go 1.24 or newer, generated from its contract: \`${module}\`, whose generated part is \`${module}/api\`.

    go build ./...

${example ? firstExample(example, baseUrl, module, own) : ''}
Save it as \`cmd/example/main.go\`, and \`go run ./cmd/example\`. A program elsewhere requires the module, with
\`replace ${module} => ./path/to/it\` in its \`go.mod\` until it is published.

## Calls

Each operation is a method, \`…WithResponse\`, whose answer has the model (\`JSON200\`, \`JSON201\`) and \`HTTPResponse\`. A pointer that is nil is
not sent; \`${own}.Of(value)\` makes one. Of what may be null, \`${own}.Set(value)\` sets and \`${own}.Clear[T]()\` clears.

- **Tokens**: \`Connection{Token: …}\` is asked before each attempt.
- **Lists**: \`${own}.All\` goes through all pages as they are needed.
- **Errors**: what the API refuses is an \`error\`: \`errors.Is(err, ${own}.Code${pascalCode(errors[0]?.code ?? 'NOT_FOUND')})\` asks for a code of the
  contract, \`errors.As\` finds the \`*${own}.Error\` with \`Status\`, \`Detail\`, \`Errors\` (each fault of the request with its place),
  \`RequestID\` and \`RetryAfter\`.
- **Retries**: what is refused for a while (408, 429), and what got no answer and can be repeated, is sent again, up to three
  times and as \`Retry-After\` says. A \`POST\` carries an \`Idempotency-Key\`, the same in each attempt.
- **Entity tags**: \`${own}.ETag(res.HTTPResponse)\` of what was read, as \`IfMatch\` of a change, makes the change fail if somebody was
  faster; as \`IfNoneMatch\` of a read, it saves the answer while nothing has changed (\`StatusCode()\` is 304).
- **Newer servers**: enums are texts and take values that they do not name; properties that a model does not have are ignored.
`;
}

function firstExample(
  { operationId, needsToken }: NonNullable<ClientInput['example']>,
  baseUrl: string,
  module: string,
  own: string,
): string {
  const method = upperFirst(camelCase(operationId));
  const token = needsToken ? `Token: ${own}.StaticToken(os.Getenv("TOKEN"))` : '';
  return `\`\`\`go
package main

import (
	"context"
	"fmt"
	"log"
${needsToken ? '\t"os"\n' : ''}
	${own === lastPart(module) ? '' : `${own} `}"${module}"
	"${module}/api"
)

func main() {
	client, err := ${own}.New("${baseUrl}", ${own}.Connection{${token}})
	if err != nil {
		log.Fatal(err)
	}
	page, err := client.${method}WithResponse(context.Background(), &api.${method}Params{Limit: ${own}.Of(10)})
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range page.JSON200.Data {
		fmt.Printf("%+v\\n", row)
	}
}
\`\`\`
`;
}

const lastPart = (module: string): string => module.split('/').at(-1)!;
