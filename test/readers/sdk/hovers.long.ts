import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const FILE = join(ROOT, 'generated/sdk/used.ts');
const SOURCE = `import { createClient, type Product, type ProductInput, products } from './index.js';
declare const input: ProductInput;
const client = createClient();
const created = await products.create(client, input);
const listed = products.list(client);
for await (const entry of listed) entry.createdAt;
const { page } = await listed.page();
const { status, sku } = created;
`;

/** What an editor shows where `name` stands for the first time after `after`. */
function hoverAt(service: ts.LanguageService, name: string, after = ''): { type: string; words: string } {
  const position = SOURCE.indexOf(name, SOURCE.indexOf(after));
  const info = service.getQuickInfoAtPosition(FILE, position)!;
  return {
    type: ts.displayPartsToString(info.displayParts).replace(/\s+/g, ' '),
    words: ts.displayPartsToString(info.documentation),
  };
}

function openEditor(): ts.LanguageService {
  const read = (path: string): string | undefined => (path === FILE ? SOURCE : ts.sys.readFile(path));
  return ts.createLanguageService({
    getScriptFileNames: () => [FILE],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const text = path === FILE || ts.sys.fileExists(path) ? read(path) : undefined;
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    fileExists: (path) => path === FILE || ts.sys.fileExists(path),
    readFile: (path) => read(path),
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getCurrentDirectory: () => ROOT,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getCompilationSettings: () => ({
      strict: true,
      noEmit: true,
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ESNext,
    }),
  });
}

describe('an editor that uses the client', () => {
  const service = openEditor();

  it('finds no fault', () => {
    expect(service.getSemanticDiagnostics(FILE).map(({ messageText }) => messageText)).toEqual([]);
  });

  it('shows resources by their names, and properties by what they hold', () => {
    expect(hoverAt(service, 'created', 'const created').type).toBe('const created: Product');
    expect(hoverAt(service, 'listed', 'const listed').type).toBe('const listed: List<ProductPage>');
    expect(hoverAt(service, 'entry').type).toBe('const entry: Product');
    expect(hoverAt(service, 'create(').type).toMatch(
      /^\(method\) create\(client: Client, input: ProductInput,.*\): ApiCall<Product>$/,
    );
    expect(hoverAt(service, 'status').type).toBe('const status: "DRAFT" | "ACTIVE" | "ARCHIVED"');
    expect(hoverAt(service, 'sku').type).toBe('const sku: string');
    expect(hoverAt(service, 'createdAt')).toEqual({ type: '(property) createdAt: string', words: 'Format: date-time' });
  });
});
