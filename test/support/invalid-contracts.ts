import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { withFolder } from './folder.ts';
import { editByPointers, lineOf, type PointerEdits } from './pointer-edits.ts';

const fixtures = join(import.meta.dirname, '../fixtures');
const json = new Map<string, string>();

/** A file of `test/fixtures/invalid`; `test/fixtures/README.md` describes it. */
interface Table {
  readonly base: Base;
  readonly cases: Readonly<Record<string, Case>>;
}

interface Base {
  readonly openapi: string;
  readonly sdl?: string;
}

interface Case extends PointerEdits {
  readonly base?: Base;
  /** What replaces texts of the SDL, each of which is there once. */
  readonly sdl?: Readonly<Record<string, string>>;
  /** Comes after the SDL. */
  readonly append?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly findings: readonly { error?: string; warning?: string; at: string; message: string }[];
}

interface ExpectedFinding {
  readonly rule: string;
  readonly severity: 'error' | 'warning';
  readonly file: string;
  readonly line: number;
  readonly pointer: string;
  readonly message: string;
}

export interface InvalidContract {
  readonly files: Readonly<Record<string, string>>;
  readonly findings: readonly ExpectedFinding[];
}

/** The contracts of `test/fixtures/invalid` by name. */
export const invalidContracts: ReadonlyMap<string, InvalidContract> = allContracts();

/** The rules that they break. */
export const brokenRules = (): ReadonlySet<string> =>
  new Set([...invalidContracts.values()].flatMap(({ findings }) => findings.map(({ rule }) => rule)));

/** Writes an invalid contract into a folder with its name, removed at the end of `work`. */
export function withInvalidContract<T>(name: string, work: (folder: string) => Promise<T>): Promise<T> {
  const { files } = invalidContracts.get(name)!;
  const paths = Object.entries(files).map(([file, text]) => [`${name}/${file}`, text]);
  return withFolder(Object.fromEntries(paths), (folder) => work(join(folder, name)));
}

function allContracts(): Map<string, InvalidContract> {
  const contracts = new Map<string, InvalidContract>();
  for (const file of readdirSync(join(fixtures, 'invalid')).filter((name) => name.endsWith('.yaml'))) {
    const { base, cases }: Table = parse(textOf(`invalid/${file}`));
    for (const [name, one] of Object.entries(cases)) {
      if (contracts.has(name)) throw new Error(`${file} has a second ${name}`);
      contracts.set(
        name,
        named(name, () => contractOf(one, one.base ?? base)),
      );
    }
  }
  return contracts;
}

/** An edit that cannot be made says of which contract it is. */
function named<T>(name: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
  }
}

function contractOf({ sdl = {}, append = '', files, findings, ...edits }: Case, base: Base): InvalidContract {
  // Read anew for each, because edits are made in place.
  const document: object = JSON.parse(jsonOf(base.openapi));
  editByPointers(document, edits);
  const schema = editedText(base.sdl ? textOf(base.sdl) : '', sdl) + append;
  return {
    files: {
      // JSON, which is YAML, too: each pointer has a line of its own.
      'openapi.yaml': JSON.stringify(document, undefined, 1),
      ...(schema && { 'schema.graphql': schema }),
      ...files,
    },
    findings: findings.map(({ error, warning, at, message }) => {
      const severity = error === undefined ? 'warning' : 'error';
      return { rule: (error ?? warning)!, severity, ...placeOf(document, at), message };
    }),
  };
}

/** `at` is `FILE:LINE COORDINATE` in the SDL, or a pointer into the document. */
function placeOf(document: object, at: string): Pick<ExpectedFinding, 'file' | 'line' | 'pointer'> {
  const [, file, line, coordinate = ''] = /^(\w+\.graphql):(\d+) ?(.*)$/.exec(at) ?? [];
  if (file !== undefined) return { file, line: Number(line), pointer: coordinate };
  return { file: 'openapi.yaml', line: lineOf(document, at), pointer: at };
}

function editedText(text: string, edits: Readonly<Record<string, string>>): string {
  return Object.entries(edits).reduce((edited, [from, to]) => {
    const parts = edited.split(from);
    if (parts.length !== 2) throw new Error(`The SDL has ${parts.length - 1} times \`${from}\``);
    return parts.join(to);
  }, text);
}

function jsonOf(path: string): string {
  const known = json.get(path) ?? JSON.stringify(parse(textOf(path)));
  json.set(path, known);
  return known;
}

function textOf(path: string): string {
  return readFileSync(join(fixtures, path), 'utf8');
}
