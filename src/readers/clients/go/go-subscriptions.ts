import type { ClientDocument } from '../../../compiler/emit/clients/index.ts';
import { lowerFirst } from '../../../compiler/model/index.ts';
import { GoApi } from './go-api.ts';
import type { GoNames } from './go-names.ts';

/** What the arguments' types may need. */
const STANDARD = { context: '"context"', json: '"encoding/json"', iter: '"iter"', time: '"time"' };
const OTHERS = {
  genqlient: 'genqlient "github.com/Khan/genqlient/graphql"',
  nullable: '"github.com/oapi-codegen/nullable"',
  types: '"github.com/oapi-codegen/runtime/types"',
};

/** `graphql/subscriptions.go`: a function for each subscription, by that of genqlient, which is not exported. */
export function goSubscriptions(documents: readonly ClientDocument[], generated: string, names: GoNames): string {
  const api = new GoApi(generated);
  const text = documents.map((one) => functionOf(one, generated, api)).join('');
  const imported = (modules: Readonly<Record<string, string>>) =>
    Object.entries(modules)
      .filter(([name]) => new RegExp(`\\b${name}\\.`).test(text))
      .map(([, path]) => `\t${path}\n`)
      .join('');
  return `package graphql

import (
${imported(STANDARD)}
${imported(OTHERS)}
	layer "${names.module}"
)
${text}`;
}

function functionOf({ name, field }: ClientDocument, generated: string, api: GoApi): string {
  const own = lowerFirst(name);
  const [, args = ''] =
    new RegExp(`^func ${own}\\(\\n\\tctx_ .*\\n\\tclient_ .*\\n([\\s\\S]*?)\\) \\(`, 'm').exec(generated) ?? [];
  const fields = api.fields(`${own}Response`);
  // A union is read by a method of its own.
  const event = fields.get(field) ?? fields.get('-')!;
  const given = [...args.matchAll(/^\t(\w+) /gm)].map(([, argument]) => `, ${argument}`).join('');
  return `
// ${name} gives the events of ${field} as they come. Leave the loop, or cancel the context, to end it.
func ${name}(
	ctx_ context.Context,
	client_ genqlient.Client,
${args}	options_ ...layer.SubscribeOption,
) iter.Seq2[${event.type}, error] {
	return layer.Subscribe(ctx_, client_, func(asked_ genqlient.WebSocketClient) error {
		_, _, err := ${own}(ctx_, asked_${given})
		return err
	}, func(data ${own}Response) ${event.type} { return data.${event.name} }, options_...)
}
`;
}
