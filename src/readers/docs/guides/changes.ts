import { sampleRequests } from '../../../compiler/emit/index.ts';
import { collectOperations } from '../../../compiler/model/index.ts';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import { ruleSentences } from '../../../descriptor/row-access-words.ts';
import { link } from '../layout/links.ts';
import { block, code, lines, table } from '../layout/markdown.ts';
import { needed } from '../reference/access-words.ts';
import { curlSample } from '../samples/curl.ts';
import { sampleOf } from '../samples/sample.ts';
import type { Guide } from './guide.ts';

export const states: Guide = {
  name: 'states',
  values(_shown, { model, places }) {
    const all = model.resources.flatMap((resource) =>
      resource.properties.flatMap(({ name, transitions, initial }) =>
        transitions ? [{ resource, name, transitions, initial: String(initial) }] : [],
      ),
    );
    const [first] = all;
    if (!first) return undefined;
    const { resource, name: property, transitions, initial } = first;
    const to = resource.actions.update && transitions[initial]?.[0];
    return {
      ...{ resource, property, to },
      moved: code(resource.name),
      initial: code(initial),
      next: to && code(to),
      move: { body: { [property]: to } },
      each: lines(
        ...all.flatMap((one) => [
          `## ${code(`${one.resource.name}.${one.name}`)}`,
          `Begins as ${code(one.initial)}. ${whoMoves(one.resource, one.name, model.resources)}`,
          table(
            ['From', 'To'],
            Object.entries(one.transitions).map(([from, next]) => [
              code(from),
              next.map(code).join(', ') || 'none: it is final',
            ]),
          ),
          `${link('All about it', places.resource(one.resource.name))}, with a diagram.`,
        ]),
      ),
    };
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
  values(_shown, { model, addresses }) {
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
    return {
      release: document.info.version,
      served: table(['Version', 'At', 'Deprecated since', 'Served until', 'Document'], rows),
      calls: lines(...Object.entries(olds).map(([name, { document: old }]) => oldSamples(name, old, addresses.base))),
    };
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
  values: (_shown, { model: { resources } }) =>
    resources.some(({ actions }) => actions.create ?? actions.update ?? actions.replace ?? actions.delete)
      ? {}
      : undefined,
};
