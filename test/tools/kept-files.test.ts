import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { keepIn, manifestsFrom } from '../../src/tools/kept-files.ts';
import { withFolder } from '../support/folder.ts';

const inFolder = (work: (folder: string) => Promise<void>) => withFolder({}, work);
const filesIn = (folder: string) => readdirSync(folder).map((name) => join(folder, name));

it('a text is there for the same kind, inputs and maker, and for no others', () =>
  inFolder(async (folder) => {
    const keep = keepIn(folder, 'one');
    keep.write('types', ['a', 'b'], 'text\nof two lines');
    expect(keepIn(folder, 'one').read('types', ['a', 'b'])).toBe('text\nof two lines');
    expect(keep.read('graphql', ['a', 'b'])).toBeUndefined();
    expect(keep.read('types', ['ab'])).toBeUndefined();
    expect(keep.read('types', ['a', 'b', ''])).toBeUndefined();
    expect(keepIn(folder, 'another').read('types', ['a', 'b'])).toBeUndefined();
  }));

it.each([
  ['cut off', (text: string) => text.slice(0, -3)],
  ['empty', () => ''],
  ['changed', (text: string) => text.replace('whole', 'hole')],
])('a file that is %s counts as absent, and is written again', (_, damage) =>
  inFolder(async (folder) => {
    const keep = keepIn(folder, 'one');
    keep.write('types', ['a'], 'the whole text');
    const [file] = filesIn(folder);
    writeFileSync(file!, damage(readFileSync(file!, 'utf8')));
    expect(keep.read('types', ['a'])).toBeUndefined();
    keep.write('types', ['a'], 'the whole text');
    expect(keep.read('types', ['a'])).toBe('the whole text');
  }),
);

it('a file is replaced as a whole: no draft stays', () =>
  inFolder(async (folder) => {
    for (const text of ['first', 'second']) keepIn(folder, 'one').write('types', ['a'], text);
    expect(readdirSync(folder)).toHaveLength(1);
    expect(keepIn(folder, 'one').read('types', ['a'])).toBe('second');
  }));

it('what was not used for two weeks goes, and so does what was used longest ago beyond the size', () =>
  inFolder(async (folder) => {
    const keep = keepIn(folder, 'one');
    for (const name of ['old', 'used', 'new']) keep.write(name, [], name);
    const ageOf = (name: string, days: number) => {
      const at = new Date(Date.now() - days * 86_400_000);
      utimesSync(filesIn(folder).find((path) => path.includes(`/${name}-`))!, at, at);
    };
    ageOf('old', 15);
    ageOf('used', 15);
    keep.read('used', []);
    const kinds = () =>
      readdirSync(folder)
        .map((name) => name.split('-')[0])
        .sort();
    keepIn(folder, 'one').write('next', [], '');
    expect(kinds()).toEqual(['new', 'next', 'used']);
    ageOf('used', 3);
    ageOf('new', 2);
    const bytes = readdirSync(folder).reduce((sum, name) => sum + readFileSync(join(folder, name)).length, 0);
    keepIn(folder, 'one', bytes).write('last', [], '');
    expect(kinds()).toEqual(['last', 'new', 'next']);
  }));

it('files that others have put into the folder stay, however old and large', () =>
  inFolder(async (folder) => {
    const foreign = ['notes.txt', 'types-1', `${'0'.repeat(40)}`, `types-${'a'.repeat(40)}.tar`];
    const longAgo = new Date(0);
    for (const name of foreign) {
      writeFileSync(join(folder, name), 'x'.repeat(500));
      utimesSync(join(folder, name), longAgo, longAgo);
    }
    const abandoned = `types-${'a'.repeat(40)}.17.draft`;
    writeFileSync(join(folder, abandoned), '');
    utimesSync(join(folder, abandoned), longAgo, longAgo);
    const keep = keepIn(folder, 'one', 100);
    keep.write('types', [], 'text');
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(foreign));
    expect(readdirSync(folder)).not.toContain(abandoned);
    expect(keep.read('types', [])).toBe('text');
  }));

it('a process that goes on for long does not fill the disk', () =>
  inFolder(async (folder) => {
    const keep = keepIn(folder, 'one', 8_000);
    for (let n = 0; n < 50; n++) keep.write('types', [String(n)], 'x'.repeat(500));
    const bytes = readdirSync(folder).reduce((sum, name) => sum + readFileSync(join(folder, name)).length, 0);
    expect(bytes).toBeLessThan(9_500);
    expect(keep.read('types', ['49'])).toBeDefined();
  }));

it('a folder that cannot be made keeps nothing', () =>
  withFolder({ file: '' }, async (folder) => {
    const keep = keepIn(join(folder, 'file'), 'one');
    keep.write('types', [], 'text');
    expect(keep.read('types', [])).toBeUndefined();
  }));

it.each(['dependencies', 'devDependencies', 'optionalDependencies'])(
  'another version of a package in %s counts, wherever it is installed; one that is not installed is no fault',
  (group) => {
    const manifest = (version: string) => JSON.stringify({ name: 'made', version, exports: {} });
    const files = {
      'shop/package.json': JSON.stringify({ [group]: { made: '1', absent: '1' } }),
      'node_modules/made/package.json': manifest('1.0.0'),
    };
    return withFolder(files, async (folder) => {
      const versions = () => manifestsFrom(join(folder, 'shop/package.json'));
      const before = versions();
      expect(versions()).toEqual(before);
      writeFileSync(join(folder, 'node_modules/made/package.json'), manifest('1.0.1'));
      expect(versions()).not.toEqual(before);
    });
  },
);
