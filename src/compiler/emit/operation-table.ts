import type { ContractModel, OperationModel } from '../model/model.ts';

const HEADINGS = ['operation', 'method', 'path', 'action', 'scopes', 'served by'];

/** The operations of a contract as a table with aligned columns. */
export function operationTable({ operations }: ContractModel): string {
  const rows = [HEADINGS, ...operations.map(row)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((cells) => cells[column]!.length)));
  return rows
    .map((cells) =>
      cells
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function row(operation: OperationModel): string[] {
  const { operationId, method, path, default: served } = operation;
  const action = served ? `${served.resource}.${served.action}` : '';
  return [operationId, method.toUpperCase(), path, action, scopes(operation), served ? 'default' : 'handler'];
}

function scopes({ access }: OperationModel): string {
  if (access.anyOf.length === 0) return 'public';
  const alternatives = access.anyOf.map(({ schemes }) =>
    schemes.length === 0
      ? 'anonymous'
      : schemes.map((scheme) => scheme.scopes.join(' ') || `any ${scheme.name}`).join(' + '),
  );
  return alternatives.join(' or ');
}
