import { type GraphQLInputObjectType, isInputObjectType } from 'graphql';
import { type ContractSide, draftOf, listsOf } from '../../compiler/graphql/convention/contract-side.ts';
import { schemaOfInput } from '../../compiler/graphql/fields/describe-inputs.ts';
import { namesReached } from '../../compiler/json-schema/names-reached.ts';
import { inverseName, referencesOf, relationsOf } from '../../compiler/model/access/relations.ts';
import type { ResourceDraft } from '../../compiler/model/draft.ts';
import { conditionParameter } from '../../compiler/model/filters/filter-parameters.ts';
import { flatNamed, flatSchema, namedSchemas } from '../../compiler/model/schemas.ts';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import { conditionInputs } from './condition-inputs.ts';
import { ConditionSchemas } from './condition-schemas.ts';
import type { ContractFiles } from './contract-files.ts';
import { addListParameter, addProperty, type OpenDocument } from './list-parameters.ts';
import { type Json, schemaRef } from './openapi-resource.ts';
import { OpenApiWriter } from './openapi-writer.ts';
import { contractSide } from './sync-sdl.ts';

/** The inputs of an SDL that are conditions, where its document has them or lacks them. */
export const conditionsOf = ({ schema, resources }: ContractSide): ReadonlySet<GraphQLInputObjectType> =>
  conditionInputs(
    schema!,
    resources.flatMap(({ list }) => list?.filter ?? []),
  );

/**
 * Adds to the lists of a document the parameter `filter`, and its schemas, where the SDL's filters combine conditions or go to other
 * rows.
 */
export async function syncConditions(files: ContractFiles): Promise<void> {
  if (await addInverses(...(await opened(files)))) await addConditions(...(await opened(files)));
}

type Opened = readonly [side: ContractSide | undefined, document: OpenDocument];

async function opened(files: ContractFiles): Promise<Opened> {
  const source = await files.source();
  const side = contractSide(source);
  const isOpen = !('findings' in side) && side.schema !== undefined;
  return [
    isOpen ? side : undefined,
    { source: isOpen ? side.draft.source : source, writer: new OpenApiWriter(files, source) },
  ];
}

/** Names the rows that refer to one as the filters do, where one reference can be meant. Resolves with whether there are filters. */
async function addInverses(side: ContractSide | undefined, { source, writer }: OpenDocument): Promise<boolean> {
  if (!side) return false;
  const inputs = conditionsOf(side);
  const { resources } = side.draft;
  const all = referencesOf(resources);
  for (const target of resources) {
    const filter = [...inputs].find(({ name }) => name === `${target.name}Filter`);
    const { inverses, references } = relationsOf(target, all);
    for (const { name, type } of Object.values(filter?.getFields() ?? {})) {
      const words = isInputObjectType(type) ? Object.values(type.getFields()) : [];
      if (!words.some((word) => word.name === 'some' || word.name === 'none')) continue;
      if (target.schema.properties.has(name) || inverses.has(name) || references.has(name)) continue;
      const meant = all.filter((one) => one.target === target && String(words[0]!.type) === `${one.from.name}Filter`);
      const declared = meant[0]?.property.flat.keywords.get('x-references');
      if (meant.length === 1 && declared && inverseName(meant[0]!) === undefined)
        await writer.addNamed(source.locate(declared.node), 'x-inverse', name);
    }
  }
  return inputs.size > 0;
}

async function addConditions(side: ContractSide | undefined, document: OpenDocument): Promise<void> {
  if (!side) return;
  const inputs = conditionsOf(side);
  const conditions = new ConditionSchemas(
    { schema: side.schema!, document: side.document },
    referencesOf(side.draft.resources),
    (input) => schemaOfInput(input, side.document) ?? input,
  );
  const filtered = side.resources.flatMap((resource) => {
    const draft = draftOf(side, resource);
    const input = [...inputs].find(({ name }) => name === `${resource.name}Filter`);
    if (!input || !draft.operations.list) return [];
    conditions.add(draft, input);
    return [{ draft, input: input.name }];
  });
  const wanted = lacking(side.document, conditions.schemas, filtered);
  for (const name of wanted.keys()) if (!document.writer.has('schemas', name)) document.writer.plan('schemas', name);
  for (const [name, properties] of wanted) await addSchema(side, document, name, properties);
  for (const { draft, input } of filtered) await addParameter(document, draft, input);
}

type Properties = Readonly<Record<string, Json>>;

/** The properties that the schemas of filters lack, and those of schemas that they lead to: others are written out where they are used. */
function lacking(
  document: OpenApiDocument,
  schemas: ReadonlyMap<string, Properties>,
  filters: readonly { readonly input: string }[],
): ReadonlyMap<string, Properties> {
  const found = new Map<string, Properties>();
  const visit = (name: string): void => {
    const properties = schemas.get(name);
    if (!properties || found.has(name)) return;
    const known = flatNamed(document, name).properties;
    const isNew = (property: string): boolean => !known.has(property);
    found.set(name, Object.fromEntries(Object.entries(properties).filter(([property]) => isNew(property))));
    for (const [property, schema] of Object.entries(properties))
      for (const reached of namesReached(document, [schema]))
        if (isNew(property) || namedSchemas(document)[reached] !== undefined) visit(reached);
  };
  for (const { input } of filters) visit(input);
  return found;
}

async function addSchema(
  side: ContractSide,
  { source, writer }: OpenDocument,
  name: string,
  properties: Properties,
): Promise<void> {
  const node = namedSchemas(side.document)[name];
  if (typeof node !== 'object') {
    await writer.addComponent('schemas', name, { type: 'object', additionalProperties: false, properties });
    return;
  }
  const flat = flatSchema(side.document, node);
  for (const [property, value] of Object.entries(properties))
    await addProperty(source, writer, flat, property, value, false);
}

/** The parameters by property that a list has stay. */
async function addParameter(document: OpenDocument, draft: ResourceDraft, input: string): Promise<void> {
  const parameter = {
    name: 'filter',
    in: 'query',
    description: 'Conditions that the entries meet, as JSON.',
    content: { 'application/json': { schema: schemaRef(input) } },
  };
  for (const list of listsOf(draft)) if (!conditionParameter(list)) await addListParameter(document, list, parameter);
}
