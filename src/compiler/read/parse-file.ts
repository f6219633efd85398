import { LineCounter, parseDocument, type YAMLParseError } from 'yaml';
import type { Finding, Location } from '../findings/finding.ts';
import { parseJson } from './json-file.ts';
import { PlainValues } from './plain-values.ts';
import type { SourceMap } from './source-map.ts';

export interface ParsedFile {
  /** Undefined when a finding says why. */
  readonly value: unknown;
  readonly findings: readonly Finding[];
}

/**
 * Parses YAML 1.2 or JSON into plain values and records the location of each, of JSON when one is asked for. `file` is the file's name in findings.
 */
export function parseFile(text: string, file: string, map: SourceMap): ParsedFile {
  const json = parseJson(text, file, map);
  if (json) return { ...json, findings: [] };
  const lines = new LineCounter();
  // Duplicate keys are detected later, because to the parser `200` and `'200'` are different keys.
  const document = parseDocument(text, { lineCounter: lines, version: '1.2', uniqueKeys: false });
  const place = (offset: number, pointer: string): Location => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1), pointer };
  };
  if (document.errors.length > 0) {
    const findings = document.errors.map((error) => syntaxFinding(error, place(error.pos[0], '')));
    return { value: undefined, findings };
  }
  const values = new PlainValues(document, map, place);
  const value = values.of(document.contents);
  return { value: values.findings.length > 0 ? undefined : value, findings: values.findings };
}

function syntaxFinding({ code, message }: YAMLParseError, location: Location): Finding {
  const finding = { rule: 'syntax', severity: 'error', location } as const;
  if (code === 'MULTIPLE_DOCS')
    return { ...finding, message: 'A second YAML document begins here.', hint: 'Keep one document per file.' };
  return { ...finding, message: `${message.split(/ at line \d+|\n/)[0]!.replace(/:$/, '')}.` };
}
