import { getNamedType, isObjectType } from 'graphql';
import { type ContractSide, draftOf, listsOf } from '../../compiler/graphql/convention/contract-side.ts';
import type { ObjectDraft } from '../../compiler/model/draft.ts';
import { pagingParameter } from '../../compiler/model/resources/list-parameters.ts';
import { countBoundOf, pageInfoOf } from '../../compiler/model/resources/page-info.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import { addListParameter, addProperty, type OpenDocument } from './list-parameters.ts';
import { COUNT_BOUND, COUNT_PARAMETER } from './openapi-resource.ts';

/** Adds to the pages of a document the counts that the connections of its SDL have, and whether those are exact. */
export async function syncCounts(side: ContractSide, document: OpenDocument): Promise<void> {
  // Pages may share an object.
  const done = new Set<object>();
  for (const resource of side.resources) {
    const draft = draftOf(side, resource);
    const info = draft.page && pageInfoOf(side.document, draft.page);
    if (!info || !draft.operations.list || !hasField(side, resource, 'totalCount')) continue;
    for (const list of listsOf(draft))
      if (!pagingParameter(list, 'count')) await addListParameter(document, list, COUNT_PARAMETER);
    const shared = [...info.properties.values()].at(-1)?.holder ?? info.flat.nodes.at(-1)!;
    if (done.has(shared)) continue;
    done.add(shared);
    await addCount(document, info, hasField(side, resource, 'totalCountIsExact'));
  }
}

function hasField({ schema }: ContractSide, { name }: ResourceDescriptor, field: string): boolean {
  const connection = getNamedType(schema!.getType(`${name}Connection`));
  return isObjectType(connection) && connection.getFields()[field] !== undefined;
}

async function addCount({ source, writer }: OpenDocument, info: ObjectDraft, isBounded: boolean): Promise<void> {
  const total = info.properties.get('totalCount');
  const maximum = isBounded ? COUNT_BOUND : Number.MAX_SAFE_INTEGER;
  if (!total)
    await addProperty(source, writer, info.flat, 'totalCount', { type: 'integer', minimum: 0, maximum }, false);
  if (!isBounded || info.properties.has('totalCountIsExact')) return;
  if (total && countBoundOf(total) === undefined) {
    const written = total.flat.keywords.get('maximum');
    const node = written?.node ?? total.flat.nodes.at(-1)!;
    if (written) await writer.replaceNumber(source.locate(node), COUNT_BOUND, ['maximum']);
    else await writer.addEntry(source.locate(node), 'maximum', COUNT_BOUND);
  }
  await addProperty(source, writer, info.flat, 'totalCountIsExact', { type: 'boolean' }, false);
}
