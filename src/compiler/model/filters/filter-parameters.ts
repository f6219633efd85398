import {
  HTTP_METHODS,
  type OpenApiDocument,
  type Parameter,
  type PathItem,
  type Schema,
} from '../../../descriptor/document.ts';
import { FILTER_PARAMETER } from '../../../descriptor/filters.ts';
import { namesReached } from '../../json-schema/names-reached.ts';
import { resolveReference, schemaNameOf } from '../../json-schema/references.ts';
import type { ObjectDraft, OperationDraft } from '../draft.ts';

/** Whether a parameter takes conditions as JSON; one without `content` filters by a property of the same name. */
export const isConditionParameter = ({ name, in: place, content }: Parameter): boolean =>
  name === FILTER_PARAMETER && place === 'query' && content !== undefined;

/** The parameter of a list that takes conditions, and the name of its schema where that is a component. */
export function conditionParameter(
  list: OperationDraft,
): { readonly parameter: Parameter; readonly declared: Schema; readonly schema: string | undefined } | undefined {
  const parameter = list.parameters.find(isConditionParameter);
  if (!parameter) return undefined;
  const declared = Object.values(parameter.content ?? {})[0]?.schema ?? true;
  return { parameter, declared, schema: schemaNameOf(declared) };
}

/** The parameters of a list that are objects named for references: `author[country]=DE`, by the reference `authorId`. */
export function referenceParameters(
  list: OperationDraft,
  { flat: { properties } }: Pick<ObjectDraft, 'flat'>,
): readonly Parameter[] {
  return list.parameters.filter(
    ({ name, in: place, style }) =>
      place === 'query' &&
      style === 'deepObject' &&
      !properties.has(name) &&
      (properties.has(`${name}Id`) || properties.has(`${name}_id`)),
  );
}

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
