const repeated = (item: string, bytes: number): string =>
  `${item},`.repeat(Math.max(1, Math.floor(bytes / (item.length + 1)))).slice(0, -1);

/** Members with names that nothing knows. */
export function unknownKeys(count: number, value = '1'): string {
  return Array.from({ length: count }, (_, i) => `"${i.toString(36)}":${value}`).join(',');
}

function keysOf(bytes: number): string {
  const members: string[] = [];
  for (let i = 0, length = 0; length < bytes; i++) {
    members.push(`"${i.toString(36)}":1`);
    length += members.at(-1)!.length + 1;
  }
  return members.join(',');
}

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** JSON values of about so many bytes: each is dear in another way. */
export const JSON_FORMS = {
  'unknown keys': (bytes) => `{${keysOf(bytes)}}`,
  'small objects': (bytes) => `[${repeated('{}', bytes)}]`,
  'nested arrays': (bytes) => `[${repeated(nested(30), bytes)}]`,
  'nested objects': (bytes) => `[${repeated(`${'{"a":'.repeat(30)}1${'}'.repeat(30)}`, bytes)}]`,
  numbers: (bytes) => `[${repeated('1', bytes)}]`,
  'long numbers': (bytes) => `[${repeated('0.1234567890123456789e-300', bytes)}]`,
  'short texts': (bytes) => `[${repeated('""', bytes)}]`,
  'escaped text': (bytes) => `"${'\\u00e9'.repeat(bytes / 6)}"`,
  'unstorable text': (bytes) => `"${'x'.repeat(bytes - 6)}\\u0000"`,
  'one text': (bytes) => `"${'x'.repeat(bytes)}"`,
  'one deep array': (bytes) => nested(Math.floor(bytes / 2)),
} as const satisfies Readonly<Record<string, (bytes: number) => string>>;

export type JsonForm = keyof typeof JSON_FORMS;
