import type { ContractModel, OperationModel } from '../../../../src/compiler/model/model.ts';
import type { PathItem } from '../../../../src/descriptor/document.ts';
import { buildSite } from '../../../../src/readers/build-site.ts';
import type { SiteFiles } from '../../../../src/runtime/site/site.ts';
import { contractOf } from '../../../support/service.ts';

/** A contract with the operations of another under several tags each. */
function enlarged(model: ContractModel, times: number): ContractModel {
  const paths = { ...model.document.paths };
  const copies = Array.from({ length: times - 1 }, (_, at) =>
    model.operations.map(({ default: _default, ...one }): OperationModel => {
      const path = `/part-${at}${one.path}`;
      const operationId = `${one.operationId}${at}`;
      const node = { ...one.node, operationId, tags: [`Part ${at}`] };
      paths[path] = { ...paths[path], ...pathParameters(model, one.path), [one.method]: node };
      return { ...one, path, operationId, node };
    }),
  );
  return { ...model, document: { ...model.document, paths }, operations: [...model.operations, ...copies.flat()] };
}

function pathParameters({ document }: ContractModel, path: string): Pick<PathItem, 'parameters'> {
  const { parameters } = document.paths[path] ?? {};
  return parameters ? { parameters } : {};
}

/** The site of the storefront with so many times its operations. */
export const enlargedSite = async (times: number): Promise<SiteFiles> =>
  buildSite({
    model: enlarged((await contractOf('contracts')) as ContractModel, times),
    parity: [],
    contracts: 'contracts',
  });
