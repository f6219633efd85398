import { readFile } from 'node:fs/promises';
import { errorClassOf } from '../../../compiler/emit/sdk/index.ts';
import type { ErrorDescriptor } from '../../../descriptor/error.ts';
import { commentLine } from '../common/names.ts';

/** The layer's module of problems, with a class for each code of the contract. */
export async function pythonProblems(layer: URL, errors: readonly ErrorDescriptor[]): Promise<string> {
  return `${await readFile(layer, 'utf8')}${errors.map(classOf).join('')}`;
}

const classOf = ({ code, status, description }: ErrorDescriptor): string => `

class ${errorClassOf(code)}(ApiError, code="${code}"):
    """${status}: ${commentLine(description)}"""
`;
