import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promiseHooks } from 'node:v8';
import ts from 'typescript';
import type { Way } from './way.ts';

// Loaded into a server by `--import`: replies to `way` with the functions that were entered since that was asked last.

const OWN_FILE = /^(?!.*\/node_modules\/).*\/((?:src|generated)\/.*\.ts)$/;

/** The files of functions as they are entered, and the number of promises that they make. */
let way: Way = { entries: [], promises: 0 };

/** The text with a mark at the entry of each function, by its own file. */
function marked(text: string, file: string): string {
  const mark = `globalThis.entered(${JSON.stringify(file)})`;
  const inserts: (readonly [position: number, text: string])[] = [];
  const visit = (node: ts.Node): void => {
    const body = ts.isFunctionLike(node) && 'body' in node ? (node.body as ts.Node | undefined) : undefined;
    if (body && ts.isBlock(body)) inserts.push([body.getStart() + 1, `${mark};`]);
    else if (body) inserts.push([body.getStart(), `(${mark}, `], [body.getEnd(), ')']);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true), visit);
  const from = inserts.sort(([a], [b]) => a - b);
  return from.reduceRight((whole, [at, insert]) => whole.slice(0, at) + insert + whole.slice(at), text);
}

if (process.send) {
  Object.assign(globalThis, { entered: (file: string) => void way.entries.push(file) });
  registerHooks({
    load: (url, context, next) => {
      const file = url.startsWith('file:') ? OWN_FILE.exec(url)?.[1] : undefined;
      if (!file) return next(url, context);
      const source = marked(readFileSync(fileURLToPath(url), 'utf8'), file);
      return { format: 'module-typescript', source, shortCircuit: true };
    },
  });
  // The first frame is that of the hook. Functions of the language and of Node have no frame with a file.
  promiseHooks.onInit(() => {
    const maker = new Error()
      .stack!.split('\n')
      .slice(2)
      .find((frame) => frame.includes('://'));
    if (maker && /\/src\//.test(maker) && !maker.includes('/node_modules/'))
      way = { ...way, promises: way.promises + 1 };
  });
  process.on('message', (message) => {
    if (message !== 'way') return;
    process.send!(way);
    way = { entries: [], promises: 0 };
  });
}
