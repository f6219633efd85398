import type { ContractModel } from '../../compiler/model/model.ts';

/** The handlers that a new custom operation needs: of REST, and of its GraphQL field, if it has one. They boot and answer 501. */
export function handlerStub({ operations, graphql }: ContractModel, operationId: string): string {
  const method = operations.find((one) => one.operationId === operationId)?.method;
  const coordinate = Object.entries(graphql?.descriptor.fields ?? {}).find(
    ([, field]) => field.kind === 'custom' && field.operationId === operationId,
  )?.[0];
  const [type, field] = coordinate?.split('.') ?? [];
  const isRoot = ['Query', 'Mutation'].includes(type ?? '');
  const lines = [
    'operations: {',
    `  ${operationId}: async (${method === 'get' ? '{ params, query }' : '{ params, body }'}, { asCaller }) => {`,
    NOT_YET,
    '  },',
    '},',
    ...(type === undefined
      ? []
      : [
          'fields: {',
          `  ${type}: {`,
          `    ${field}: async (${isRoot ? 'args' : 'parents, args'}, { asCaller }) => {`,
          `  ${NOT_YET}`,
          '    },',
          '  },',
          '},',
        ]),
  ];
  return lines.map((line) => `  ${line}`).join('\n');
}

const NOT_YET = "    throw new ApiError('NOT_IMPLEMENTED');";
