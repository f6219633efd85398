import type { ContractModel } from '../model/model.ts';
import { HEADER, literal } from './print.ts';

/** `resources.ts`: descriptors of the resources, which the engine is built from. */
export function emitResources({ resources }: ContractModel, library: string): string {
  return `${HEADER}import type { ResourceDescriptor } from '${library}';

export const resources: readonly ResourceDescriptor[] = ${literal(resources)};
`;
}
