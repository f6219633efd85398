import { HTTP_METHODS, type OpenApiDocument, type Parameter, type PathItem } from '../../../descriptor/document.ts';
import { namesReached } from '../../json-schema/names-reached.ts';
import { resolveReference } from '../../json-schema/references.ts';
import { isConditionParameter } from './filter-parameters.ts';

/** The components that are conditions, or parts of them: GraphQL's inputs have their names. */
export const conditionSchemas = (document: OpenApiDocument): ReadonlySet<string> =>
  namesReached(document, parametersOf(document).filter(isConditionParameter));

function parametersOf(document: OpenApiDocument): readonly Parameter[] {
  const items = Object.values(document.paths ?? {}).flatMap((item) => resolveReference<PathItem>(document, item) ?? []);
  const declared = items.flatMap((item) => [
    ...(item.parameters ?? []),
    ...HTTP_METHODS.flatMap((method) => item[method]?.parameters ?? []),
  ]);
  return declared.flatMap((one) => resolveReference<Parameter>(document, one) ?? []);
}
