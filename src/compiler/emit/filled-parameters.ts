import type { OpenApiDocument, PathItem } from '../../descriptor/document.ts';
import { lookUp } from '../../descriptor/look-up.ts';
import type { ParameterDescriptor } from '../../descriptor/rest.ts';
import type { ContractModel } from '../model/model.ts';

/**
 * The document as handlers of custom operations see requests: a parameter with a default is always there. The same object when
 * no custom operation has one. Actions of resources are also called over GraphQL, where an absent argument stays absent.
 */
export function withFilledParameters({ document, rest, operations }: ContractModel): OpenApiDocument {
  const described = new Map(rest.operations.map(({ operationId, parameters }) => [operationId, parameters]));
  const changed = new Map<string, PathItem>();
  for (const { operationId, path, method, item, node, parameters, default: standard } of operations) {
    const filled = lookUp(described, operationId).map(isFilled);
    if (standard !== undefined || !filled.includes(true)) continue;
    const required = parameters.map((one, i) => (filled[i] ? { ...one, required: true } : one));
    changed.set(path, { ...(changed.get(path) ?? item), [method]: { ...node, parameters: required } });
  }
  return changed.size === 0 ? document : { ...document, paths: { ...document.paths, ...Object.fromEntries(changed) } };
}

const isFilled = (parameter: ParameterDescriptor): boolean => !parameter.required && 'default' in parameter;
