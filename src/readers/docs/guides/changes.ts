import { sampleRequests } from '../../../compiler/emit/sample-requests.ts';
import { collectOperations } from '../../../compiler/model/operations.ts';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import { ruleSentences } from '../../../descriptor/row-access-words.ts';
import { link } from '../layout/links.ts';
import { block, code, items, lines, table } from '../layout/markdown.ts';
import { needed } from '../reference/access-words.ts';
import { curlSample } from '../samples/curl.ts';
import { sampleOf } from '../samples/sample.ts';
import type { Guide } from './guide.ts';

export const states: Guide = {
  name: 'states',
  title: 'States, and who may change them',
  description: 'Which states a resource goes through, and how it is moved from one to the next.',
  words: [
    'state',
    'states',
    'status',
    'transition',
    'transitions',
    'lifecycle',
    'workflow',
    'state machine',
    'cancel',
    'ILLEGAL_TRANSITION',
  ],
  text(shown, { model, places }) {
    const all = model.resources.flatMap((resource) =>
      resource.properties.flatMap(({ name, transitions, initial }) =>
        transitions ? [{ resource, name, transitions, initial: String(initial) }] : [],
      ),
    );
    const [first] = all;
    if (!first) return undefined;
    const next = first.transitions[first.initial]?.[0];
    const moved = first.resource.actions.update && next !== undefined;
    return lines(
      `A property with states begins with one of them and goes from each to some others; anything else is refused with ${link(code('ILLEGAL_TRANSITION'), places.error('ILLEGAL_TRANSITION'))}. It is moved by an ordinary change.`,
      moved && `${code(first.resource.name)} from ${code(first.initial)} to ${code(next)}:`,
      moved &&
        [
          shown.curl(first.resource, 'update', { body: { [first.name]: next } }),
          shown.typescript(
            first.resource,
            'update',
            ({ expression, target }) => `await ${expression}.update(${target}, { ${first.name}: '${next}' });`,
          ),
          shown.others(first.resource, 'update', { body: { [first.name]: next } }),
          shown.graphql(first.resource, 'update', { body: { [first.name]: next } }),
        ].join('\n'),
      'Writing the state that it has changes nothing, and is answered with 200.',
      ...all.flatMap(({ resource, name, transitions, initial }) => [
        `## ${code(`${resource.name}.${name}`)}`,
        `Begins as ${code(initial)}. ${whoMoves(resource, name, model.resources)}`,
        table(
          ['From', 'To'],
          Object.entries(transitions).map(([from, to]) => [code(from), to.map(code).join(', ') || 'none: it is final']),
        ),
        `${link('All about it', places.resource(resource.name))}, with a diagram.`,
      ]),
    );
  },
};
/** Who may change a property: the access of a change, and the rules of the row and the property. */
function whoMoves(
  { actions: { update }, owner, rowAccess, properties }: ResourceDescriptor,
  name: string,
  resources: readonly ResourceDescriptor[],
): string {
  if (!update) return 'No change takes it.';
  const rules = {
    ...(owner && { owner }),
    ...(rowAccess?.update && { rowAccess: { update: rowAccess.update } }),
  };
  const own = properties.filter((one) => one.name === name);
  return [
    `Who may move it: ${needed(update.access)}.`,
    ...ruleSentences({ ...rules, properties: own }, resources),
  ].join(' ');
}

export const versions: Guide = {
  name: 'versions',
  title: 'Versions of the API',
  description: 'Which versions are served, until when, and what an old one still answers.',
  words: [
    'version',
    'versions',
    'versioning',
    'deprecated',
    'deprecation',
    'sunset',
    'v1',
    'upgrade',
    'breaking change',
    'old version',
  ],
  text(_shown, { model, addresses }) {
    const { document, versions: olds = {} } = model;
    const declared = (document.info['x-versions'] ?? {}) as Readonly<
      Record<string, { readonly deprecated?: string; readonly sunset?: string }>
    >;
    const rows = Object.entries(olds).map(([name, { document: old }]) => [
      code(name),
      code(old.servers?.[0]?.url ?? `/${name}`),
      declared[name]?.deprecated ?? 'no date',
      declared[name]?.sunset ?? 'no date',
      link(`openapi-${name}.json`, `docs/openapi-${name}.json`),
    ]);
    return lines(
      `The version is the path that all addresses begin with: ${code(addresses.base)} is the present one, release ${code(document.info.version)}. ${rows.length === 0 ? 'No older one is served.' : 'These are served beside it, over the same data:'}`,
      table(['Version', 'At', 'Deprecated since', 'Served until', 'Document'], rows),
      ...Object.entries(olds).map(([name, { document: old }]) => oldSamples(name, old, addresses.base)),
      rows.length > 0 &&
        `${link('The changelog', 'docs/changelog.html')} says what differs from version to version, and what to do about it.`,
      '## What stays, and what may change',
      items([
        'Within a version nothing is taken away: properties, operations and values of enums may come, so that clients ignore what they do not know.',
        'Answers of a deprecated version carry `Deprecation` (RFC 9745) and, where a date is set, `Sunset` (RFC 8594).',
        model.graphql && 'GraphQL has no versions: fields are deprecated one by one.',
      ]),
    );
  },
};

/** A list and a creation, as an old version takes them: its path is what chooses it. */
function oldSamples(name: string, document: OpenApiDocument, base: string): string | undefined {
  const requests = sampleRequests({ document, resources: [], operations: collectOperations(document) });
  const own = new URL(document.servers?.[0]?.url ?? `/${name}`, base).href;
  const few = ['GET', 'POST'].flatMap(
    (wanted) => requests.find(({ method, inPath }) => method === wanted && inPath.length === 0) ?? [],
  );
  if (few.length === 0) return undefined;
  return lines(`## Calling ${name}`, few.map((one) => block('sh', curlSample(sampleOf(one, own)))).join('\n'));
}

export const consistency: Guide = {
  name: 'consistency',
  title: 'Reading what you have written',
  description: 'What a read sees after a write, and how Consistency-Token makes sure of it.',
  words: [
    'consistency',
    'Consistency-Token',
    'read after write',
    'read your writes',
    'stale',
    'stale list',
    'eventual consistency',
    'cache',
    'not found after create',
    'replica',
  ],
  text(_shown, { model }) {
    if (!model.resources.some(({ actions }) => actions.create ?? actions.update ?? actions.replace ?? actions.delete))
      return undefined;
    return lines(
      'A single resource is never older than the last write. A list may be, by some hundredths of a second, where another instance answers it than the one that wrote. The answer of each write has a `Consistency-Token`: a request that sends it back sees that write and all before it.',
      block('sh', `curl … -H "Consistency-Token: $CONSISTENCY_TOKEN"`, 'curl'),
      items([
        'Keep the last token; it lasts. The clients do by themselves.',
        model.graphql &&
          'Over GraphQL the token is `extensions.consistencyToken` of a mutation’s result, and is sent in the header or in `extensions` of a request.',
        'Answers of lists may be kept by caches that check them: `ETag` with `If-None-Match` answers 304 while nothing has changed.',
      ]),
    );
  },
};
