import { camelCase } from '../model/naming.ts';
import { atOperation, atResponse } from './place.ts';
import { type Check, severityIn } from './rule.ts';

/** Every operation has an operationId, which handlers, types and clients are named after. */
export const operationIdMissing: Check = function* (draft) {
  for (const operation of draft.operations) {
    if (operation.node.operationId) continue;
    yield {
      severity: severityIn(draft),
      message: `\`${operation.method.toUpperCase()} ${operation.path}\` has no \`operationId\`.`,
      hint: `For example, write \`operationId: ${operation.operationId}\`.`,
      ...atOperation(operation),
    };
  }
};

/** An operationId is camelCase, because handlers and types are named after it. */
export const operationIdCase: Check = function* (draft) {
  for (const operation of draft.operations) {
    if (/^[a-z][A-Za-z0-9]*$/.test(operation.operationId) || !operation.node.operationId) continue;
    const name = camelCase(operation.operationId);
    yield {
      severity: severityIn(draft),
      message: `\`operationId: ${operation.operationId}\` is not camelCase.`,
      hint: `Write \`${name.charAt(0).toLowerCase()}${name.slice(1)}\`.`,
      ...atOperation(operation, 'operationId'),
    };
  }
};

/** An operationId is unique in its document (OpenAPI 3.1, 4.8.10.1). */
export const operationIdDuplicate: Check = function* ({ operations }) {
  for (const same of Map.groupBy(operations, ({ operationId }) => operationId).values()) {
    for (const operation of same.slice(1)) {
      const first = `${same[0]!.method.toUpperCase()} ${same[0]!.path}`;
      yield {
        severity: 'error',
        message: `\`operationId: ${operation.operationId}\` is already used by \`${first}\`.`,
        hint: 'Give each operation a unique name.',
        ...atOperation(operation, 'operationId'),
      };
    }
  }
};

/** Responses have numeric statuses, because handlers cannot return a range or a default. */
export const responseStatus: Check = function* ({ operations }) {
  for (const operation of operations) {
    for (const status of Object.keys(operation.node.responses ?? {})) {
      if (/^\d{3}$/.test(status) || status.startsWith('x-')) continue;
      yield {
        severity: 'warning',
        message: `\`${operation.operationId}\` declares the response \`${status}\`, which is not a status that a handler can return.`,
        hint: 'Declare each status by its number; the errors that the server itself returns are added automatically.',
        ...atResponse(operation, status),
      };
    }
  }
};

/** Only deprecated operations have a sunset (RFC 8594), which is not before the deprecation (RFC 9745, 4). */
export const sunsetDeprecated: Check = function* ({ operations }) {
  for (const operation of operations) {
    const { deprecated, 'x-deprecated-since': since, 'x-sunset': sunset } = operation.node;
    for (const name of ['x-deprecated-since', 'x-sunset'] as const) {
      if (operation.node[name] === undefined || deprecated === true) continue;
      yield {
        severity: 'error',
        message: `\`${operation.operationId}\` has \`${name}\`, but is not deprecated.`,
        hint: `Add \`deprecated: true\`, or remove \`${name}\`.`,
        ...atOperation(operation, name),
      };
    }
    if (since === undefined || sunset === undefined || Date.parse(sunset) >= Date.parse(since)) continue;
    yield {
      severity: 'error',
      message: `\`${operation.operationId}\` has its sunset on ${sunset}, before its deprecation on ${since}.`,
      hint: 'Write a later day in `x-sunset`, or an earlier one in `x-deprecated-since`.',
      ...atOperation(operation, 'x-sunset'),
    };
  }
};
