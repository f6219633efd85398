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

const HOW_TO_WRITE =
  'Check this line and the one above: indent with spaces, close quotes and brackets, and quote a text with `: ` or ` #` in it.';

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
    // Later errors usually follow from the first one.
    const first = document.errors.toSorted((a, b) => a.pos[0] - b.pos[0]).slice(0, 1);
    return { value: undefined, findings: first.map((error) => syntaxFinding(error, place(error.pos[0], ''))) };
  }
  const values = new PlainValues(document, map, place);
  const value = values.of(document.contents);
  return { value: values.findings.length > 0 ? undefined : value, findings: values.findings };
}

function syntaxFinding({ code, message }: YAMLParseError, location: Location): Finding {
  const finding = { rule: 'syntax', severity: 'error', location } as const;
  if (code === 'MULTIPLE_DOCS')
    return { ...finding, message: 'A second YAML document begins here.', hint: 'Keep one document per file.' };
  return { ...finding, message: `${message.split(/ at line \d+|\n/)[0]!.replace(/:$/, '')}.`, hint: HOW_TO_WRITE };
}
