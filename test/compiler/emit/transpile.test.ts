import { beforeEach, describe, expect, it } from 'vitest';
import { type ModuleSource, transpiled, transpiledParts } from '../../../src/compiler/emit/sdk/transpile.ts';
import { KEEP_NOTHING, type Keep } from '../../../src/descriptor/keep.ts';

const imports = `import { make, type Made } from './make.ts';
import type { Seldom, Unused, Used } from './types.ts';
import { unseen } from './unseen.ts';
`;
const part = (name: string, type: string): string => `/** It is ${name}. */
export const ${name}: ${type} = make(unseen);
`;
const module: ModuleSource = {
  imports,
  parts: [
    "export { other } from './other.ts';\ntype Own = string;\nexport type It = Own;\n",
    ...Array.from({ length: 30 }, (_, n) => part(`thing${n}`, n === 25 ? 'Made<Seldom>' : 'Used')),
  ],
};

describe('a module that is transpiled in parts', () => {
  let written: number;
  let keep: Keep;
  beforeEach(() => {
    const texts = new Map<string, string>();
    written = 0;
    keep = {
      read: (kind, inputs) => texts.get([kind, ...inputs].join()),
      write(kind, inputs, text) {
        written++;
        texts.set([kind, ...inputs].join(), text);
      },
    };
  });

  it('is what it is when it is transpiled as a whole, and has of the imports what some part uses', async () => {
    const files = await transpiledParts('it.ts', module, keep);
    expect(files).toEqual(await transpiled('it.ts', imports + module.parts.join('\n'), KEEP_NOTHING));
    expect(files.declarations).toContain(
      "import { type Made } from './make.js';\nimport type { Seldom, Used } from './types.js';\n",
    );
  });

  it('makes only those parts again that are around an edit', async () => {
    await transpiledParts('it.ts', module, keep);
    written = 0;
    const parts = module.parts.with(14, part('edited', 'Used'));
    const { declarations } = await transpiledParts('it.ts', { imports, parts }, keep);
    expect(declarations).toContain('export declare const edited: Used;');
    expect(written).toBe(1);
  });
});
