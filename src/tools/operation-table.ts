import type { ContractModel, OperationModel } from '../compiler/model/index.ts';

const HEADINGS = ['operation', 'method', 'path', 'action', 'scopes', 'served by'];

/** The operations of a contract as a table with aligned columns. */
export const operationTable = ({ operations }: ContractModel): string => textTable([HEADINGS, ...operations.map(row)]);

/** Rows as lines with aligned columns, from the column `numbers` on to the right. */
export function textTable(rows: readonly (readonly string[])[], numbers = Number.POSITIVE_INFINITY): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((cells) => cells[column]!.length)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, i) => (i < numbers ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  ');
  return rows.map((cells) => line(cells).trimEnd()).join('\n');
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
