import { camelCase, lowerFirst } from '../model/naming.ts';
import { atOperation, atResponse } from './place.ts';
import { rule } from './rule.ts';
import { theOperations } from './subjects.ts';

export const operationRules = [
  rule({
    id: 'operation-id-missing',
    summary: 'Every operation has an operationId.',
    advice: 'Handlers, types and clients use it as their name.',
    each: theOperations,
    check: (operation) =>
      !operation.node.operationId && {
        message: `\`${operation.method.toUpperCase()} ${operation.path}\` has no \`operationId\`.`,
        hint: `For example, write \`operationId: ${operation.operationId}\`.`,
        ...atOperation(operation),
      },
  }),
  rule({
    id: 'operation-id-case',
    summary: 'An operationId is camelCase.',
    advice: 'Handlers and types use it as their name: `listBooks`.',
    isStyle: true,
    each: theOperations,
    check: (operation) =>
      !/^[a-z][A-Za-z0-9]*$/.test(operation.operationId) &&
      operation.node.operationId !== undefined && {
        message: `\`operationId: ${operation.operationId}\` is not camelCase.`,
        hint: `Write \`${lowerFirst(camelCase(operation.operationId))}\`.`,
        ...atOperation(operation, 'operationId'),
      },
  }),
  rule({
    id: 'operation-id-duplicate',
    summary: 'An operationId is unique.',
    advice: 'It names one operation of the whole document (OpenAPI 3.1, 4.8.10.1).',
    severity: 'error',
    each: ({ operations }) => Map.groupBy(operations, ({ operationId }) => operationId).values(),
    check: ([first, ...others]) =>
      others.map((operation) => ({
        message: `\`operationId: ${operation.operationId}\` is already used by \`${first?.method.toUpperCase()} ${first?.path}\`.`,
        hint: 'Give each operation a unique name.',
        ...atOperation(operation, 'operationId'),
      })),
  }),
  rule({
    id: 'response-status',
    summary: 'Responses have numeric statuses.',
    advice: 'A handler cannot return `default` or `4XX`. Declare each status that it returns.',
    severity: 'warning',
    each: theOperations,
    check: (operation) =>
      Object.keys(operation.node.responses ?? {})
        .filter((status) => !/^\d{3}$/.test(status) && !status.startsWith('x-'))
        .map((status) => ({
          message: `\`${operation.operationId}\` declares the response \`${status}\`, which is not a status that a handler can return.`,
          hint: 'Declare each status by its number; the errors that the server itself returns are added automatically.',
          ...atResponse(operation, status),
        })),
  }),
  rule({
    id: 'sunset',
    summary: 'Only deprecated operations have a sunset, after their deprecation.',
    advice: 'Add `deprecated: true` (RFC 8594; RFC 9745, 4).',
    each: theOperations,
    *check(operation) {
      const { deprecated, 'x-deprecated-since': since, 'x-sunset': sunset } = operation.node;
      for (const name of ['x-deprecated-since', 'x-sunset'] as const)
        if (operation.node[name] !== undefined && deprecated !== true)
          yield {
            message: `\`${operation.operationId}\` has \`${name}\`, but is not deprecated.`,
            hint: `Add \`deprecated: true\`, or remove \`${name}\`.`,
            ...atOperation(operation, name),
          };
      if (since !== undefined && sunset !== undefined && Date.parse(sunset) < Date.parse(since))
        yield {
          message: `\`${operation.operationId}\` has its sunset on ${sunset}, before its deprecation on ${since}.`,
          hint: 'Write a later day in `x-sunset`, or an earlier one in `x-deprecated-since`.',
          ...atOperation(operation, 'x-sunset'),
        };
    },
  }),
];
