import type { ContractModel } from '../../compiler/model/index.ts';
import { operationWithId } from '../../descriptor/rest.ts';

/** The function that a new custom operation needs. It boots and answers 501. */
export function handlerStub({ rest }: ContractModel, operationId: string): string {
  const { code, parameters, requestBody } = operationWithId(rest.operations, operationId);
  const inputs = [
    ...parameters.map(({ name }) => name).filter((name) => /^[A-Za-z_$][\w$]*$/.test(name)),
    ...(requestBody ? ['input'] : []),
  ];
  const place = code?.in ?? 'operations';
  const [taken, given] = place === 'routes' ? [['params', 'query', 'body'], 'transaction'] : [inputs, 'asCaller'];
  return [
    `${place}: {`,
    `  ${operationId}: async (${taken.length > 0 ? `{ ${taken.join(', ')} }` : '_inputs'}, { ${given} }) => {`,
    "    throw new ApiError('NOT_IMPLEMENTED');",
    '  },',
    '},',
  ]
    .map((line) => `  ${line}`)
    .join('\n');
}
