import { emitClientDocument } from '../../compiler/emit/clients/emit-client-document.ts';
import { packageNameOf } from '../../compiler/emit/sdk/sdk-package.ts';
import type { ContractModel } from '../../compiler/model/model.ts';
import { admitsAnonymous } from '../../descriptor/access.ts';
import type { ClientInput, ExampleList } from './common/client-language.ts';

const DEFAULT_ORIGIN = 'http://127.0.0.1:3000';

/** What the clients of a contract have in common. */
export function clientInput(model: ContractModel): Omit<ClientInput, 'document' | 'folder' | 'packageName'> {
  const { document, errors } = model;
  const { title, version } = document.info;
  const url = (document.servers?.[0]?.url ?? '').replace(/\/$/, '');
  return {
    name: packageNameOf(model).replace(/^@[^/]*\//, ''),
    title,
    version,
    baseUrl: /^https?:/.test(url) ? url : DEFAULT_ORIGIN + url,
    errors: Object.values(errors),
    example: exampleOf(model),
  };
}

/** A list that needs neither a token nor an id, if there is one. */
function exampleOf(model: ContractModel): ExampleList | undefined {
  const lists = model.operations.filter((one) => one.default?.action === 'list' && !one.path.includes('{'));
  const list = lists.find(({ access }) => admitsAnonymous(access)) ?? lists[0];
  if (list === undefined) return undefined;
  const resource = model.resources.find(({ key }) => key === list.default!.resource)!;
  const { tags } = model.document.paths[list.path]![list.method]!;
  return {
    operationId: list.operationId,
    path: list.path,
    tag: (tags as readonly string[] | undefined)?.[0],
    type: resource.name,
    needsToken: !admitsAnonymous(list.access),
  };
}

/** The prepared document as its own copy for each language. */
export const clientDocument = (model: ContractModel): ClientInput['document'] => JSON.parse(emitClientDocument(model));
