import { listsOf } from '../../compiler/graphql/convention/contract-side.ts';
import { conditionParameter, referenceParameters } from '../../compiler/model/filters/filter-parameters.ts';
import { draftContract } from '../../compiler/model/resources/draft-contract.ts';
import { filterParameters } from '../../compiler/model/resources/list-parameters.ts';
import { flatSchema } from '../../compiler/model/schemas.ts';
import type { ContractFiles } from './contract-files.ts';
import { addProperty } from './list-parameters.ts';
import { OpenApiWriter } from './openapi-writer.ts';
import { contractSide } from './sync-sdl.ts';

/**
 * Adds to the conditions of a document what the parameters of the same lists filter by: GraphQL has one filter for both, which the
 * conditions describe.
 */
export async function syncParameters(files: ContractFiles): Promise<void> {
  const source = await files.source();
  if ('findings' in contractSide(source)) return;
  const writer = new OpenApiWriter(files, source);
  const added = new Set<string>();
  for (const draft of draftContract({ ...source, sdl: undefined }).resources)
    for (const list of listsOf(draft)) {
      const condition = conditionParameter(list);
      if (condition?.schema === undefined) continue;
      const flat = flatSchema(source.document, condition.declared);
      const parameters = [...filterParameters(list, draft.schema), ...referenceParameters(list, draft.schema)];
      for (const { name, schema } of parameters) {
        const place = `${condition.schema} ${name}`;
        if (schema === undefined || flat.properties.has(name) || added.has(place)) continue;
        added.add(place);
        await addProperty(source, writer, flat, name, schema as object, false);
      }
    }
}
