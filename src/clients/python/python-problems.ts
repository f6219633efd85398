import { readFile } from 'node:fs/promises';
import type { ErrorDescriptor } from '../../descriptor/error.ts';
import { commentLine, pascalCode } from '../common/names.ts';

/** The layer's module of problems, with a class for each code of the contract. */
export async function pythonProblems(layer: URL, errors: readonly ErrorDescriptor[]): Promise<string> {
  return `${await readFile(layer, 'utf8')}${errors.map(classOf).join('')}`;
}

const classOf = ({ code, status, description }: ErrorDescriptor): string => `

class ${pythonClassOf(code)}(ApiError, code="${code}"):
    """${status}: ${commentLine(description)}"""
`;

/** `OUT_OF_STOCK` → `OutOfStockError` */
export const pythonClassOf = (code: string): string => `${pascalCode(code).replace(/Error$/, '')}Error`;
