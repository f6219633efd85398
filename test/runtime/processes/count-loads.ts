import { openSync, writeSync } from 'node:fs';
import { registerHooks } from 'node:module';

// Loaded before a server: writes a line for each module that it loads, and for each function that it compiles of a text.
const file = openSync(process.env['LOADS_FILE']!, 'a');
registerHooks({
  load(url, context, next) {
    writeSync(file, `${url}\n`);
    return next(url, context);
  },
});
const compiled = (parts: readonly unknown[]): void => {
  const isValidator = String(parts.at(-1)).includes('return function validate');
  writeSync(file, `new ${isValidator ? 'validator' : 'Function'}\n`);
};
globalThis.Function = new Proxy(Function, {
  construct(target, parts) {
    compiled(parts);
    return Reflect.construct(target, parts);
  },
  apply(target, self, parts) {
    compiled(parts);
    return Reflect.apply(target, self, parts);
  },
});
