import { type Keep, kept } from '../../../descriptor/keep.ts';
import { HEADER } from '../print.ts';

/** A module of TypeScript as a package has it. */
export interface Transpiled {
  readonly script: string;
  readonly declarations: string;
}

/** A module of TypeScript in parts that do not need each other to be transpiled. */
export interface ModuleSource {
  readonly imports: string;
  readonly parts: readonly string[];
}

/** So many parts are made and kept together. */
const AT_ONCE = 10;

/** JavaScript and declarations of a module. */
export const transpiled = async (path: string, source: string, keep: Keep): Promise<Transpiled> =>
  JSON.parse(await kept(keep, 'transpiled', [path, source], async () => JSON.stringify(await made(path, source))));

/** The same of a module in parts, of which those are made again that have changed. */
export async function transpiledParts(path: string, source: ModuleSource, keep: Keep): Promise<Transpiled> {
  const { imports, parts } = source;
  const starts = Array.from({ length: Math.ceil(parts.length / AT_ONCE) }, (_, at) => at * AT_ONCE);
  const texts = starts.map((start) => imports + parts.slice(start, start + AT_ONCE).join(''));
  const all = await Promise.all(texts.map((text) => transpiled(path, text, keep)));
  const joined = (text: (part: Transpiled) => string): string => joinedParts(imports, all.map(text));
  return { script: joined(({ script }) => script), declarations: joined(({ declarations }) => declarations) };
}

const IMPORT = /^import (type )?\{ (.*) \} from '(.*)';\n/gm;

/** One text of those of all parts, each of which has left of the imports what it uses. */
function joinedParts(imports: string, texts: readonly string[]): string {
  const used = new Set(texts.flatMap((text) => importsIn(text).flatMap(({ named }) => named)));
  const lines = importsIn(withScripts(imports)).flatMap(({ kind, from, named }) => {
    const left = named.filter((name) => used.has(name)).map((name) => name.slice(from.length));
    return left.length === 0 ? [] : [`import ${kind}{ ${left.join(', ')} } from '${from}';\n`];
  });
  return [HEADER, ...lines, ...texts.map((text) => text.slice(HEADER.length).replace(IMPORT, ''))].join('');
}

/** What is imported, each by its module and its name. */
const importsIn = (text: string) =>
  [...text.matchAll(IMPORT)].map(([, kind = '', names = '', from = '']) => ({
    kind,
    from,
    named: names.split(', ').map((name) => from + name),
  }));

/** A package has no TypeScript. */
const withScripts = (source: string): string => source.replace(/(from '\.[^']*)\.ts'/g, "$1.js'");

/** Throws what TypeScript says when types are not all written. Loading TypeScript takes longer than all that is kept. */
async function made(path: string, source: string): Promise<Transpiled> {
  const { default: ts } = await import('typescript');
  const text = withScripts(source);
  const compilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
    isolatedDeclarations: true,
    declaration: true,
  };
  const options = { compilerOptions, fileName: path, reportDiagnostics: true };
  const declaration = ts.transpileDeclaration(text, options);
  const [fault] = declaration.diagnostics ?? [];
  if (fault) throw new Error(`${path}: ${ts.flattenDiagnosticMessageText(fault.messageText, '\n')}`);
  return {
    script: HEADER + ts.transpileModule(text, options).outputText,
    declarations: HEADER + declaration.outputText,
  };
}
