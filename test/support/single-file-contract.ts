import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContractSource } from '../../src/compiler/model/source.ts';
import { parseFile } from '../../src/compiler/read/parse-file.ts';
import { SourceMap } from '../../src/compiler/read/source-map.ts';
import type { OpenApiDocument } from '../../src/descriptor/document.ts';

const ENTRY = 'openapi.yaml';

/** A contract of one file, `openapi.yaml` in a folder. */
export function readSingleFile(folder: string): ContractSource {
  return parseContract(readFileSync(join(folder, ENTRY), 'utf8'));
}

/** A contract given as YAML text, without external references and judged by the model alone. */
export function parseContract(text: string): ContractSource {
  const map = new SourceMap({ file: ENTRY, line: 1, column: 1, pointer: '' });
  const { value, findings } = parseFile(text, ENTRY, map);
  return { document: value as OpenApiDocument, findings, locate: (node, key) => map.locate(node, key) };
}
