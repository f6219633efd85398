import type { RootField } from '../../../compiler/emit/index.ts';
import { link } from '../layout/links.ts';
import { block, code, firstSentence, inline, table } from '../layout/markdown.ts';
import type { Reference } from '../reference/reference.ts';
import { graphqlCurl, socketFrames, socketProgram } from '../samples/graphql.ts';
import type { Guide } from './guide.ts';
import type { Shown } from './shown.ts';

export const subscriptions: Guide = {
  name: 'subscriptions',
  values(shown, reference) {
    const events = reference.fieldsAlone.filter(({ kind }) => kind === 'subscription');
    const example = shownEvent(shown, reference) ?? events[0];
    if (!example) return undefined;
    const { endpoint } = reference.addresses;
    const operation = reference.example(example);
    return {
      socket: endpoint.replace(/^http/, 'ws'),
      stream: block('sh', graphqlCurl(endpoint, operation, true), 'curl'),
      event: example.field.name,
      variables: JSON.stringify(operation.variables),
      followed: shown.events(example, operation.variables),
      subscription: operation.document,
      events: table(
        ['Subscription', 'When'],
        events.map(({ field }) => [
          link(code(field.name), reference.places.field(field.name)),
          inline(firstSentence(field.description ?? '')),
        ]),
      ),
      frames: socketFrames(operation),
      withoutLibrary: socketProgram(endpoint, operation),
    };
  },
};

/** The changes of one row, of the resource that guides show first. */
function shownEvent(shown: Shown, reference: Reference): RootField | undefined {
  const takesId = (root: RootField | undefined): boolean => root?.field.args.some(({ name }) => name === 'id') === true;
  const resource =
    shown.resource(['get'], (one) => takesId(reference.fieldWith('updated', one))) ??
    shown.resource(['get'], (one) => reference.fieldWith('updated', one) !== undefined);
  return resource && reference.fieldWith('updated', resource);
}
