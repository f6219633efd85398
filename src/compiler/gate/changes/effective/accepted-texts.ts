/**
 * Texts that the server takes where a schema says no more than `type: string` and a format: the shortest, the longest, and
 * one for every liberty that the format leaves. A pattern or a length that lets all of them through refuses nothing that
 * was not refused before. A test holds them against the validators of the server.
 */
export const TEXTS_OF_FORMAT: Readonly<Record<string, readonly string[]>> = {
  uuid: [
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
    '01941F29-7c00-7a10-8c57-1d0b6e2f4a01',
    'c232ab00-9414-11ec-b3c8-9f6bdeced846',
    '919108f7-52d1-4320-9bac-f847db4148a8',
    '2489e9ad-2ee2-1e00-8ec9-32d5f69181c0',
    '01234567-89ab-cdef-0123-456789abcdef',
  ],
  date: ['0000-01-01', '0001-12-31', '1970-01-31', '2024-02-29', '2026-06-30', '3456-07-08', '9999-09-19'],
  'date-time': [
    '0000-01-01T00:00:00Z',
    '1970-12-31T23:59:59.9Z',
    '2024-02-29T12:30:45.12+00:00',
    '2026-06-08T07:06:05.004-23:59',
    '2026-06-08t07:06:05.123456789z',
    `1999-12-31T00:00:00.${'7'.repeat(20_000)}-00:00`,
    '9999-10-19T13:48:27+14:00',
  ],
  'date-time-local': [
    '0001-01-01T00:00:00',
    '1970-12-31T23:59:59.9',
    '2024-02-29T12:30:45.123456',
    '2026-06-08T07:06:05.004',
    '9999-10-19T13:48:27',
  ],
  email: [
    'a@b.c',
    '0.9@0.9',
    "!#$%&'*+/=?^_`{|}~-@A-Z.xn--p1ai",
    `${'L'.repeat(64)}@${`${'d'.repeat(63)}.`.repeat(2)}${'d'.repeat(57)}.it`,
  ],
  uri: [
    'a:b',
    'urn:isbn:9780000000000',
    'https://me@example.com:8080/a%20b;c/?q=1#f',
    `https://e.x/${'p'.repeat(20_000)}`,
  ],
  'uri-reference': ['', '#', '?q', 'a', '../b', '//host/path', 'https://example.com/', 'p'.repeat(20_000)],
  hostname: ['a', '0', 'A-9.b', 'localhost', `${`${'d'.repeat(63)}.`.repeat(3)}${'d'.repeat(61)}`],
  ipv4: ['0.0.0.0', '1.20.199.249', '255.255.255.255'],
  ipv6: ['::', '::1', 'FE80::a', '1:2:3:4:5:6:7:8', 'abcd:ef01:2345:6789:abcd:ef01:255.255.255.255'],
  int64: ['0', '-1', '9', '1234567890', '-9223372036854775808', '9223372036854775807'],
  decimal: ['0', '-1', '0.0', '-0.05', '19.90', '9'.repeat(20_000), `0.${'1'.repeat(20_000)}`],
};

/** Every character but U+0000 and unpaired surrogates may stand anywhere, and any number of them. */
export const PLAIN_TEXTS: readonly string[] = [
  '',
  ...characters().flatMap((character) => [character, `a${character}`, `${character}a`, `a${character}a`]),
  'x'.repeat(20_000),
  `${'word '.repeat(4000)}\n`,
];

function characters(): string[] {
  const ascii = Array.from({ length: 0xff }, (_, i) => String.fromCodePoint(i + 1));
  return [...ascii, '\u0300', '\u05d0', '\u200d', '\u2028', '\u4e2d', '\ufeff', '\uffff', '\u{1f600}', '\u{10ffff}'];
}

/** Header fields of conditional requests (RFC 9110, 13.1): `*`, or entity tags of either strength. */
const ENTITY_TAGS: readonly string[] = [
  '*',
  '""',
  '"1"',
  'W/"1"',
  '"1","2"',
  '"1" ,\t W/"!#~"',
  ', "1",, "2",',
  '"\u0080\u00ff"',
  Array.from({ length: 2000 }, (_, i) => `"${i + 1}"`).join(', '),
];

/** A key as it is, or as a structured-field string, in which two characters are escaped. */
const IDEMPOTENCY_KEYS: readonly string[] = [
  '!',
  '~'.repeat(255),
  "#$%&'()*+,-./09:;<=>?@AZ[\\]^_`az{|}",
  '" "',
  `"${'k'.repeat(255)}"`,
  `"${'\\"'.repeat(255)}"`,
  `"${'\\\\'.repeat(255)}"`,
];

/** What the server makes for a next page: base64url, of a signature of 16 bytes and of one key of order or more. */
const CURSORS: readonly string[] = [
  `${'-_09azAZ'.repeat(3)}Aw`,
  ...['A', 'Z', 'a', 'z', '0', '9', '-', '_'].map((character) => character.repeat(76)),
  'Q'.repeat(20_000),
];

/** By place and name of the parameter, in lower case. */
export const TEXTS_OF_PARAMETER: Readonly<Record<string, readonly string[]>> = {
  'header:if-match': ENTITY_TAGS,
  'header:if-none-match': ENTITY_TAGS,
  'header:idempotency-key': IDEMPOTENCY_KEYS,
  'query:cursor': CURSORS,
};
