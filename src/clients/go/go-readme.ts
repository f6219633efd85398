import type { ClientDocument } from '../../compiler/emit/clients/client-graphql.ts';
import { type Publication, spdxOf } from '../../compiler/emit/clients/publication.ts';
import { camelCase, upperFirst } from '../../compiler/model/naming.ts';
import type { ClientInput, GraphqlInput } from '../common/client-language.ts';
import { RETRIES } from '../common/client-language.ts';
import { pascalCode } from '../common/names.ts';
import type { GoNames } from './go-names.ts';

/** `README.md` of the client: the first example runs as it stands. */
export function goReadme(
  { title, baseUrl, example, errors, name, graphql, publication }: ClientInput,
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
${RETRIES}
- **Entity tags**: \`${own}.ETag(res.HTTPResponse)\` of what was read, as \`IfMatch\` of a change, makes the change fail if somebody was
  faster; as \`IfNoneMatch\` of a read, it saves the answer while nothing has changed (\`StatusCode()\` is 304).
- **Newer servers**: enums are texts and take values that they do not name; properties that a model does not have are ignored.
${graphql ? overGraphql(graphql, baseUrl, module, own, example?.needsToken ?? false) : ''}${publicationPart(publication)}`;
}

/** A module has no other place that says it. */
function publicationPart(publication: Publication): string {
  const { license, contact } = publication;
  const terms = spdxOf(publication) ?? license.name;
  const authors = [contact.name, contact.email && `<${contact.email}>`, contact.url && `<${contact.url}>`];
  const lines = [
    terms && `Licence: ${terms}${license.url ? `, <${license.url}>` : ''}.`,
    authors.filter(Boolean).join(' '),
  ];
  const text = lines.filter(Boolean).join('\n\n');
  return text && `\n## Licence and authors\n\n${text}\n`;
}

function overGraphql(
  { exampleQuery }: GraphqlInput,
  baseUrl: string,
  module: string,
  own: string,
  needsToken: boolean,
): string {
  return `
## GraphQL

\`${module}/graphql\` has a function for each query and mutation, which asks for every property, and for those of your own
documents (\`--documents\`). What may be left out or be null is \`nullable.Nullable\`: nil is not sent, \`${own}.Set(value)\` sets,
\`${own}.Clear[T]()\` clears; \`Get()\` reads it.
${exampleQuery ? graphqlExample(exampleQuery, baseUrl, module, own, needsToken) : ''}
Errors are those above; a fault of the request says its \`Argument\`. Where several fields failed, \`errors.Is\` and \`errors.As\` look into
each; what was answered all the same is there, too. Queries, and mutations that create, are sent again as above;
\`${own}.WithIdempotencyKey(ctx, key)\` gives a key. Subscriptions are left out.
In documents of your own, \`# @genqlient(omitempty: true)\` in the line above a variable that may be null leaves it out when it is nil, and
\`# @genqlient(flatten: true)\` above the operation gives the fragments' types.
`;
}

function graphqlExample(
  { name, field, selection, variables }: ClientDocument,
  baseUrl: string,
  module: string,
  own: string,
  needsToken: boolean,
): string {
  const type = /\.\.\.(\w+)/.exec(selection)![1]!;
  const connection = upperFirst(field);
  const given: Record<string, string> = { first: `${own}.Set(10)`, after: 'after' };
  const args = variables.map((one) => given[one.name] ?? 'nil').join(', ');
  return `
\`\`\`go
package main

import (
	"context"
	"fmt"
	"log"
${needsToken ? '\t"os"\n' : ''}
	"github.com/oapi-codegen/nullable"

	${own === lastPart(module) ? '' : `${own} `}"${module}"
	"${module}/graphql"
)

func main() {
	client, err := ${own}.NewGraphQL("${baseUrl}", ${own}.Connection{${tokenOf(own, needsToken)}}, "")
	if err != nil {
		log.Fatal(err)
	}
	rows := ${own}.AllNodes(func(after nullable.Nullable[string]) ([]graphql.${type}, bool, nullable.Nullable[string], error) {
		data, err := graphql.${name}(context.Background(), client, ${args})
		if err != nil {
			return nil, false, nil, err
		}
		page := data.${connection}
		return page.Nodes, page.PageInfo.HasNextPage, page.PageInfo.EndCursor, nil
	})
	for row, err := range rows {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%+v\\n", row)
	}
}
\`\`\`
`;
}

const tokenOf = (own: string, needsToken: boolean): string =>
  needsToken ? `Token: ${own}.StaticToken(os.Getenv("TOKEN"))` : '';

function firstExample(
  { operationId, needsToken }: NonNullable<ClientInput['example']>,
  baseUrl: string,
  module: string,
  own: string,
): string {
  const method = upperFirst(camelCase(operationId));
  const token = tokenOf(own, needsToken);
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
