import {
  clientGraphql,
  emitClientDocument,
  publicationOf,
  resourcesIn,
  treesOf,
} from '../../compiler/emit/clients/index.ts';
import type { ContractModel } from '../../compiler/model/index.ts';
import { admitsAnonymous } from '../../descriptor/access.ts';
import { packageVersionOf } from '../../descriptor/package.ts';
import { resourceWithKey } from '../../descriptor/resource.ts';
import { renameOperations } from './common/alike-names.ts';
import type { ClientInput, ExampleList, GraphqlInput } from './common/client-language.ts';
import { clientNameOf } from './common/names.ts';

const DEFAULT_ORIGIN = 'http://127.0.0.1:3000';

/** What the clients of a contract have in common. */
export function clientInput(
  model: ContractModel,
  ownDocuments: string,
  license: string | undefined,
): Omit<ClientInput, 'document' | 'folder' | 'leftOut' | 'packageName'> {
  const { document, errors } = model;
  const { title } = document.info;
  const example = exampleOf(model);
  const url = (document.servers?.[0]?.url ?? '').replace(/\/$/, '');
  return {
    name: clientNameOf(model),
    title,
    version: packageVersionOf(document),
    publication: publicationOf(document, license),
    baseUrl: /^https?:/.test(url) ? url : DEFAULT_ORIGIN + url,
    errors: Object.values(errors),
    resources: treesOf(model),
    graphql: graphqlOf(model, ownDocuments, example),
    example,
  };
}

function graphqlOf({ graphql }: ContractModel, ownDocuments: string, list?: ExampleList): GraphqlInput | undefined {
  if (graphql === undefined) return undefined;
  const { fields } = graphql.descriptor;
  const made = clientGraphql(graphql);
  const mutations = Object.keys(made.schema.getMutationType()?.getFields() ?? {});
  const type = made.schema.getMutationType()?.name;
  const pages = made.documents.filter(({ kind, selection }) => kind === 'query' && selection.startsWith('{ nodes '));
  return {
    ...made,
    ownDocuments,
    creating: mutations.filter((name) => fields[`${type}.${name}`]?.kind === 'create'),
    exampleQuery: pages.find(({ selection }) => list?.type && selection.includes(`...${list.type} `)) ?? pages[0],
  };
}

/** A list that needs neither a token nor an id, if there is one. */
function exampleOf(model: ContractModel): ExampleList | undefined {
  const lists = model.operations.filter((one) => one.default?.action === 'list' && !one.path.includes('{'));
  const list = lists.find(({ access }) => admitsAnonymous(access)) ?? lists[0];
  if (list === undefined) return undefined;
  const resource = resourceWithKey(model.resources, list.default!.resource);
  const { tags } = list.node;
  return {
    operationId: list.operationId,
    path: list.path,
    tag: (tags as readonly string[] | undefined)?.[0],
    type: resource.name,
    needsToken: !admitsAnonymous(list.access),
  };
}

/** The prepared document as its own copy for each language. Operations that a language would call alike have other ids. */
export function clientDocument(model: ContractModel): ClientInput['document'] {
  const document = JSON.parse(emitClientDocument(model));
  const actions = treesOf(model)
    .flatMap(resourcesIn)
    .flatMap((resource) => Object.values(resource.actions));
  renameOperations(document, new Set(actions.map(({ operationId }) => operationId)));
  return document;
}
