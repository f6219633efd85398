import type { ContractModel, OperationModel } from '../../../../src/compiler/model/model.ts';
import type { SiteFiles } from '../../../../src/runtime/site/site.ts';
import { buildSite } from '../../../../src/tools/docs/build-site.ts';
import { contractOf } from '../../../support/service.ts';

/** A contract with the operations of another under several tags each. */
function enlarged(model: ContractModel, times: number): ContractModel {
  const copies = Array.from({ length: times - 1 }, (_, at) =>
    model.operations.map(
      ({ default: _, ...one }): OperationModel => ({
        ...one,
        operationId: `${one.operationId}${at}`,
        node: { ...one.node, tags: [`Part ${at}`] },
      }),
    ),
  );
  return { ...model, operations: [...model.operations, ...copies.flat()] };
}

/** The site of the storefront with so many times its operations. */
export const enlargedSite = async (times: number): Promise<SiteFiles> =>
  buildSite({
    model: enlarged((await contractOf('contracts')) as ContractModel, times),
    parity: [],
    contracts: 'contracts',
  });
