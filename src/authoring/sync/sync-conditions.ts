import { type GraphQLInputObjectType, isInputObjectType } from 'graphql';
import { draftOf, filteredOf, listsOf, schemaOfInput } from '../../compiler/graphql/convention/index.ts';
import { namesReached, schemaReference } from '../../compiler/json-schema/index.ts';
import { inverseName, referencesOf, relationsOf } from '../../compiler/model/access/index.ts';
import { conditionParameter, referenceParameters } from '../../compiler/model/filters/index.ts';
import { flatNamed, flatSchema, type ResourceDraft, schemaNamed } from '../../compiler/model/index.ts';
import { filterParameters } from '../../compiler/model/resources/index.ts';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import { conditionInputs } from './condition-inputs.ts';
import { ConditionSchemas } from './condition-schemas.ts';
import type { ContractFiles } from './contract-files.ts';
import { type OpenContract, type OpenPair, openContract, openPair } from './open-contract.ts';
import type { Json } from './openapi-resource.ts';
import { addListParameter, addProperty } from './parameter-objects.ts';

/** The inputs of an SDL that are conditions, where its document has them or lacks them. */
export const conditionsOf = ({ schema, side: { resources } }: OpenPair): ReadonlySet<GraphQLInputObjectType> =>
  conditionInputs(
    schema,
    resources.flatMap(({ list }) => list?.filter ?? []),
  );

/**
 * Adds to the lists of a document the parameter `filter`, and its schemas, where the SDL's filters combine conditions or go to other
 * rows.
 */
export async function syncConditions(files: ContractFiles, removed?: ReadonlySet<string>): Promise<void> {
  const contract = await openPair(files, removed);
  if (!contract || conditionsOf(contract).size === 0) return;
  await addInverses(contract);
  const named = await openPair(files, removed);
  if (named) await addConditions(named);
}

/** Names the rows that refer to one as the filters do, where one reference can be meant. */
async function addInverses(contract: OpenPair): Promise<void> {
  const { source, writer } = contract;
  const inputs = conditionsOf(contract);
  const { resources } = contract.side.draft;
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
}

async function addConditions(contract: OpenPair): Promise<void> {
  const { schema, side } = contract;
  const inputs = conditionsOf(contract);
  const conditions = new ConditionSchemas(
    { schema, document: side.document },
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
  for (const [name, properties] of wanted) await addSchema(contract, name, properties);
  for (const { draft, input } of filtered) await addParameter(contract, draft, input);
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
        if (isNew(property) || schemaNamed(document, reached) !== undefined) visit(reached);
  };
  for (const { input } of filters) visit(input);
  return found;
}

async function addSchema(contract: OpenContract, name: string, properties: Properties): Promise<void> {
  const { document } = contract.side;
  const node = schemaNamed(document, name);
  if (typeof node !== 'object') {
    await contract.writer.addComponent('schemas', name, { type: 'object', additionalProperties: false, properties });
    return;
  }
  const flat = flatSchema(document, node);
  for (const [property, value] of Object.entries(properties)) await addProperty(contract, flat, property, value, false);
}

/** The parameters by property that a list has stay. */
async function addParameter(contract: OpenContract, draft: ResourceDraft, input: string): Promise<void> {
  const parameter = {
    name: 'filter',
    in: 'query',
    description: 'Conditions that the entries meet, as JSON.',
    content: { 'application/json': { schema: schemaReference(input) } },
  };
  for (const list of filteredOf(draft))
    if (!conditionParameter(list)) await addListParameter(contract, list, parameter);
}

/**
 * Adds to the conditions of a document what the parameters of the same lists filter by: GraphQL has one filter for both, which the
 * conditions describe.
 */
export async function syncParameters(files: ContractFiles): Promise<void> {
  const contract = await openContract(files);
  if ('findings' in contract) return;
  const added = new Set<string>();
  for (const draft of contract.side.draft.resources)
    for (const list of listsOf(draft)) {
      const condition = conditionParameter(list);
      if (condition?.schema === undefined) continue;
      const flat = flatSchema(contract.side.document, condition.declared);
      const parameters = [...filterParameters(list, draft.schema), ...referenceParameters(list, draft.schema)];
      for (const { name, schema } of parameters) {
        const place = `${condition.schema} ${name}`;
        if (schema === undefined || flat.properties.has(name) || added.has(place)) continue;
        added.add(place);
        await addProperty(contract, flat, name, schema as object, false);
      }
    }
}
