import { conventionNames } from '../../../descriptor/convention-names.ts';
import { batchesOf, linksOf, type ResourceDescriptor, totalsOf } from '../../../descriptor/resource.ts';
import { link } from '../layout/links.ts';
import { code, json, table } from '../layout/markdown.ts';
import type { Reference } from '../reference/reference.ts';
import { sampleBlocks } from '../samples/samples.ts';
import type { Guide } from './guide.ts';

const names = (some: readonly string[]): string => some.map(code).join(', ');
const linked = ({ places }: Reference, operationId: string): string =>
  link(code(operationId), places.operation(operationId));

/** What all resources have of a kind, each with its resource. */
const all = <T>({ model }: Reference, of: (resource: ResourceDescriptor) => readonly T[]) =>
  model.resources.flatMap((resource) => of(resource).map((one) => ({ resource, one })));

export const totals: Guide = {
  name: 'totals',
  values(shown, reference) {
    const found = all(reference, totalsOf);
    const [first] = found;
    if (!first) return undefined;
    const { operationId, groups, measures } = first.one;
    const { groupBy, timeZone } = conventionNames(first.resource.nameCase);
    const query = {
      ...(groups.length > 0 && { [groupBy]: groups.slice(0, 1).join() }),
      measures: measures.slice(0, 2).join(','),
    };
    return {
      ...{ groupBy: code(groupBy), timeZone: code(timeZone) },
      call: shown.curlOf(operationId, { query }),
      graphql: shown.graphql(first.resource, 'totals'),
      operations: table(
        ['Operation', 'Groups', 'Measures', 'Rows at most'],
        found.map(({ one }) => [
          linked(reference, one.operationId),
          names(one.groups),
          names(one.measures),
          one.maxRows.toLocaleString('en'),
        ]),
      ),
    };
  },
};

export const batches: Guide = {
  name: 'batches',
  values(_shown, reference) {
    const found = all(reference, batchesOf);
    const [first] = found;
    if (!first) return undefined;
    const { operationId } = first.one;
    return {
      calls: sampleBlocks(reference.samples(operationId)),
      answer: json(reference.answers.of(operationId)),
      operations: table(
        ['Operation', 'Members of an item', 'Items at most'],
        found.map(({ one }) => [linked(reference, one.operationId), names(one.kinds), String(one.maxItems)]),
      ),
    };
  },
};

export const linking: Guide = {
  name: 'linking',
  values(_shown, reference) {
    const found = all(reference, linksOf);
    const make = found.find(({ one }) => one.kind === 'link') ?? found[0];
    if (!make) return undefined;
    return {
      calls: sampleBlocks(reference.samples(make.one.operationId)),
      operations: table(
        ['Operation', 'What it does', 'Rows'],
        found.map(({ resource, one }) => [
          linked(reference, one.operationId),
          one.kind === 'link' ? 'links two rows' : 'ends the link',
          link(code(resource.name), reference.places.resource(resource.name)),
        ]),
      ),
    };
  },
};
