import { type ClientDocument, type Publication, resourcesIn, spdxOf } from '../../../compiler/emit/clients/index.ts';
import { upperFirst } from '../../../compiler/model/index.ts';
import { lookUp } from '../../../descriptor/look-up.ts';
import type { ClientInput, GraphqlInput } from '../common/client-language.ts';
import { RETRIES } from '../common/client-language.ts';
import { pascalCode } from '../common/names.ts';
import { type GoNames, goImport, goName } from './go-names.ts';
import { goResourceNames } from './go-resources.ts';

/** `README.md` of the client: the first example runs as it stands. */
export function goReadme(
  { title, baseUrl, example, errors, name, graphql, publication, resources }: ClientInput,
  { module, package: own }: GoNames,
): string {
  return `# ${name}

Client of ${title} for Go 1.24 or newer, generated from its contract: \`${module}\`, whose generated part is \`${module}/api\`.

    go build ./...

${example ? firstExample(example, resources, baseUrl, module, own) : ''}
Save it as \`cmd/example/main.go\`, and \`go run ./cmd/example\`. A program elsewhere requires the module, with
\`replace ${module} => ./path/to/it\` in its \`go.mod\` until it is published.

## Calls

A resource has the actions that the contract gives it: \`List\`, \`Page\`, \`Get\`, \`Create\`, \`Replace\`, \`Update\`, \`Change\`, \`Delete\`; what is below
another is a field of it. Any other operation is a method of the client, \`…WithResponse\`, whose answer has the model (\`JSON200\`, \`JSON201\`) and
\`HTTPResponse\`; so are the actions. A pointer that is nil is not sent; \`${own}.Of(value)\` makes one. Of what may be null,
\`${own}.Set(value)\` sets and \`${own}.Clear[T]()\` clears.

- **Tokens**: \`Connection{Token: …}\` is asked before each attempt.
- **Lists**: \`List\` goes through all pages as they are needed, with filters and order as parameters; \`Page\` reads the one at a \`Cursor\`.
- **Versions**: \`UpdateIfUnchanged\`, \`ReplaceIfUnchanged\` and \`DeleteIfUnchanged\` take what was read, and fail with
  \`${own}.CodePreconditionFailed\` if somebody was faster; with an id, \`${own}.IfVersion(version)\` is an option. \`Change\` reads, changes what your
  function answers with, and does both again if somebody was faster.
- **Options**, the last arguments: \`${own}.IfVersion\`, \`${own}.IfNoneMatch\`, \`${own}.IfAbsent\`, \`${own}.IdempotencyKey\`, or a function of your own
  that is given the request.
- **Errors**: what the API refuses is an \`error\`: \`errors.Is(err, ${own}.Code${pascalCode(errors[0]?.code ?? 'NOT_FOUND')})\` asks for a code of the
  contract, \`errors.As\` finds the \`*${own}.Error\` with \`Status\`, \`Detail\`, \`Errors\` (each fault of the request with its place),
  \`RequestID\` and \`RetryAfter\`.
${RETRIES}
- **Entity tags**: \`${own}.ETag(res.HTTPResponse)\` of what \`…WithResponse\` answered with, as \`${own}.IfNoneMatch(*tag)\` of a read, saves the answer
  while nothing has changed: \`Status\` of the error is 304.
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
  { exampleQuery, documents }: GraphqlInput,
  baseUrl: string,
  module: string,
  own: string,
  needsToken: boolean,
): string {
  const subscription = documents.find(({ kind }) => kind === 'subscription');
  return `
## GraphQL

\`${module}/graphql\` has a function for each query and mutation, which asks for every property, and for those of your own
documents (\`--documents\`). What may be left out or be null is \`nullable.Nullable\`: nil is not sent, \`${own}.Set(value)\` sets,
\`${own}.Clear[T]()\` clears; \`Get()\` reads it.
${exampleQuery ? graphqlExample(exampleQuery, baseUrl, module, own, needsToken) : ''}
Errors are those above; a fault of the request says its \`Argument\`. Where several fields failed, \`errors.Is\` and \`errors.As\` look into
each; what was answered all the same is there, too. Queries, and mutations that create, are sent again as above;
\`${own}.WithIdempotencyKey(ctx, key)\` gives a key.
${subscription ? eventsPart(subscription.name, own) : ''}
In documents of your own, \`# @genqlient(omitempty: true)\` in the line above a variable that may be null leaves it out when it is nil, and
\`# @genqlient(flatten: true)\` above the operation gives the fragments' types.
`;
}

const eventsPart = (name: string, own: string): string => `
\`for event, err := range graphql.${name}(ctx, client, …)\` follows a subscription, over server-sent events. With \`${own}.OnMissed(func() { … })\` as an option
it connects again when the connection is lost, with growing waits and a token as of then, and calls the function: read again what may
have changed. Without it, it ends with an error (\`${own}.ErrConnectionLost\`). An event that shows an older version of a row than one before it is
left out. \`${own}.Subscribe\` does the same for documents of your own.
`;

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

	${goImport({ module, package: own })}
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
  resources: ClientInput['resources'],
  baseUrl: string,
  module: string,
  own: string,
): string {
  const token = tokenOf(own, needsToken);
  return `\`\`\`go
package main

import (
	"context"
	"fmt"
	"log"
${needsToken ? '\t"os"\n' : ''}
	${goImport({ module, package: own })}
	"${module}/api"
)

func main() {
	client, err := ${own}.New("${baseUrl}", ${own}.Connection{${token}})
	if err != nil {
		log.Fatal(err)
	}
	params := &api.${goName(operationId)}Params{Limit: ${own}.Of(10)}
	for row, err := range client.${listedBy(resources, operationId)}.List(context.Background(), params) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%+v\\n", row)
	}
}
\`\`\`
`;
}

function listedBy(resources: ClientInput['resources'], operationId: string): string {
  const listed = resources.flatMap(resourcesIn).find(({ actions }) => actions.list?.operationId === operationId);
  return listed ? lookUp(goResourceNames(resources), listed.key) : '';
}
