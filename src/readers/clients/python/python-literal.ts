const WORDS: Readonly<Record<string, string>> = { null: 'None', true: 'True', false: 'False' };

const INDENT = '    ';

/** A JSON value as Python writes it, members on lines of their own. */
export function pythonLiteral(value: unknown, outer = ''): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return WORDS[String(value)] ?? String(value);
  const deeper = outer + INDENT;
  const lines = Array.isArray(value)
    ? value.map((one) => `${deeper}${pythonLiteral(one, deeper)},\n`)
    : Object.entries(value).map(([name, one]) => `${deeper}${JSON.stringify(name)}: ${pythonLiteral(one, deeper)},\n`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return lines.length === 0 ? `${open}${close}` : `${open}\n${lines.join('')}${outer}${close}`;
}
