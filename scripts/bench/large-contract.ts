import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { addTo, readAddition } from '../../src/authoring/scaffold/index.ts';
import { RELEASED } from '../../src/compiler/sdl/index.ts';
import { fromRoot } from './server-process.ts';

/** A resource and one below it, as `npm run new` writes them. */
const PAIR = [
  ['wards', ['name:string!', 'kind:enum(SURGERY,CHILDREN)!']],
  ['wards/beds', ['label:string!', 'note:string']],
] as const;
/** Resources of the storefront. */
const OWN = 5;

/**
 * Writes the storefront's contract with more resources, as many as `resources` in all, into a folder that does not exist yet. They are
 * copies of one pair under other names, so that what a compile costs can be held against their number; nothing of it is released.
 */
export async function makeLargeContract(resources: number, out: string): Promise<void> {
  const pairs = (resources - OWN) / 2;
  if (!Number.isInteger(pairs) || pairs < 1)
    throw new RangeError(`An odd number from ${OWN + 2} on, not ${resources}.`);
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-large-'));
  try {
    cpSync(fromRoot('contracts'), folder, { recursive: true, filter: (path) => basename(path) !== RELEASED });
    edit(join(folder, 'openapi.yaml'), (text) => text.replace(/^ {2}x-versions:\n(?: {4}.*\n)+/m, ''));
    for (const [name, fields] of PAIR) await add(folder, name, fields);
    cpSync(folder, out, { recursive: true, filter: (path) => !isOfPair(path), errorOnExist: true });
    writeCopies(
      folder,
      out,
      Array.from({ length: pairs }, (_, at) => prefixOf(at)),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function add(folder: string, name: string, fields: readonly string[]): Promise<void> {
  const outcome = await addTo(folder, readAddition('resource', name, fields, {}));
  if (outcome.kind === 'refused') throw new Error(outcome.findings.map(({ message }) => message).join('\n'));
}

const isOfPair = (path: string): boolean => /^(?:ward|bed)/i.test(basename(path));

function writeCopies(folder: string, out: string, prefixes: readonly string[]): void {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isOfPair);
  for (const path of paths.filter((one) => statSync(join(folder, one)).isFile())) {
    const text = readFileSync(join(folder, path), 'utf8');
    for (const prefix of prefixes)
      writeFileSync(join(out, dirname(path), renamed(basename(path), prefix)), renamed(text, prefix));
  }
  edit(join(out, 'openapi.yaml'), (text) =>
    text.replace(ENTRIES, (entries) => prefixes.map((prefix) => renamed(entries, prefix)).join('')),
  );
}

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

/** The paths of the pair, and its tags, in `openapi.yaml`. */
const ENTRIES = /(?:^ {2}\/wards.*\n {4}\$ref: .*\n)+|(?:^ {2}- name: (?:Wards|Beds)\n {4}description: .*\n)+/gm;

/** `aa`, `ab`, …: no name is the beginning of another. */
const prefixOf = (at: number): string => `q${[at / 26, at % 26].map((n) => String.fromCharCode(97 + n)).join('')}`;

/** `wardId` → `qaawardId`, `BedInput` → `QaabedInput`; not `forward`. */
function renamed(text: string, prefix: string): string {
  const capital = prefix[0]!.toUpperCase() + prefix.slice(1);
  return text
    .replace(/Ward|Bed/g, (name) => capital + name.toLowerCase())
    .replace(/(?<![a-z])(?:ward|bed)(?=s?\b|[A-Z-])/g, (name) => prefix + name);
}

if (import.meta.main) {
  const { resources, out } = parseArgs({ options: { resources: { type: 'string' }, out: { type: 'string' } } }).values;
  if (resources === undefined || out === undefined)
    throw new Error('node scripts/bench/large-contract.ts --resources N --out DIR');
  await makeLargeContract(Number(resources), out);
}
