import ts from 'typescript';
import { HEADER } from '../print.ts';

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  isolatedDeclarations: true,
  declaration: true,
};

/** JavaScript and declarations of one module of TypeScript. Throws what TypeScript says when its types are not all written. */
export function transpiled(path: string, source: string): [path: string, text: string][] {
  const text = source.replace(/(from '\.[^']*)\.ts'/g, "$1.js'");
  const options = { compilerOptions: OPTIONS, fileName: path, reportDiagnostics: true };
  const declaration = ts.transpileDeclaration(text, options);
  const faults = declaration.diagnostics ?? [];
  if (faults.length > 0) throw new Error(`${path}: ${ts.flattenDiagnosticMessageText(faults[0]!.messageText, '\n')}`);
  return [
    [path.replace(/\.ts$/, '.js'), HEADER + ts.transpileModule(text, options).outputText],
    [path.replace(/\.ts$/, '.d.ts'), HEADER + declaration.outputText],
  ];
}
