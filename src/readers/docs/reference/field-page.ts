import type { RootField } from '../../../compiler/emit/index.ts';
import { link } from '../layout/links.ts';
import { code, firstSentence, lines, withoutMarkup } from '../layout/markdown.ts';
import type { NavLink, Page } from '../layout/page.ts';
import { needed } from './access-words.ts';
import { fieldText } from './field-text.ts';
import { GRAPHQL } from './places.ts';
import type { Reference } from './reference.ts';

/** A root field that no operation of REST has on its page: a subscription, or what GraphQL alone has. */
export function fieldPage(reference: Reference, root: RootField): Page {
  const { name, description } = root.field;
  return {
    path: reference.places.field(name),
    title: name,
    description: withoutMarkup(firstSentence(description ?? '')) || `A ${root.kind} of GraphQL.`,
    kind: 'operation',
    words: [name, root.kind],
    group: groupOf(reference, root),
    text: () => textOf(reference, root),
  };
}

function groupOf(reference: Reference, root: RootField): NavLink {
  const resource = reference.resourceOfField(root);
  return resource ? { title: resource.name, path: reference.places.resource(resource.name) } : GRAPHQL;
}

function textOf(reference: Reference, root: RootField): string {
  const { field, kind } = root;
  const access = reference.accessOf(root);
  const operationId = reference.counterpart(root);
  const read = operationId === undefined ? undefined : link(code(operationId), reference.places.operation(operationId));
  return lines(
    `# ${code(field.name)}`,
    field.description ?? '',
    access && `Who may ask for it: ${needed(access)}.`,
    read && (kind === 'subscription' ? `The events are for who may call ${read}.` : `The same over REST: ${read}.`),
    kind === 'subscription' &&
      `${link('Subscriptions', 'docs/guides/subscriptions.html')} says how to connect, and where the token goes.`,
    '## GraphQL',
    fieldText(reference, root),
  );
}
