import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { COMMANDS, type CommandEntry, scriptCall } from '../../src/tools/commands.ts';
import type { CommandModule } from '../../src/tools/define-command.ts';
import { sentencesOf, whatsIn } from '../docs/support/prose.ts';
import { run } from '../support/command.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const entries: readonly CommandEntry[] = COMMANDS;
const names = entries.map(({ name }) => name);

describe('the table of commands', () => {
  it('has each module of scripts/, which holds nothing else but the benchmark, the bundler of images and the bin of the package', () => {
    const files = names.map((name) => `${name}.ts`);
    expect(readdirSync(join(root, 'scripts')).sort()).toEqual([...files, 'bench', 'image', 'lockstep.js'].sort());
  });

  it('has the npm scripts of this repository under the same names', () => {
    const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
    const ours = Object.entries(scripts).filter(([, line]) => line.includes('scripts/'));
    const expected = entries
      .filter(({ place }) => place !== 'package')
      .map(({ name }) => [name, `node scripts/${name}.ts`]);
    expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(expected));
  });

  it('is the table of the README', () => {
    const rows = entries.map(({ name, summary, place }) => {
      const call = place === 'package' ? `npx lockstep ${name}` : scriptCall(name).replace(/ --$/, '');
      return `| \`${call}\` | ${summary} |`;
    });
    expect(read('README.md')).toContain(`| Command | Use it to |\n|---|---|\n${rows.join('\n')}\n\n`);
  });
});

describe('the help of a command', () => {
  test.each(names)('%s says how it is called, with its options and an example', async (name) => {
    const { command }: CommandModule = await import(`../../scripts/${name}.ts`);
    let help = '';
    command.name(scriptCall(name)).configureOutput({
      writeOut: (text) => {
        help += text;
      },
    });
    command.outputHelp();
    expect(help).toContain(`Usage: ${scriptCall(name)} [options]`);
    expect(help).toMatch(/\nOptions:\n[\s\S]+\n\nExamples?:\n {2}# .+\n {2}(?:npm|node) /);
    const texts = [command.description(), ...command.options.map(({ description }) => description)];
    const sentences = texts.flatMap((text) => text.split(/\n\s*/)).flatMap(sentencesOf);
    expect(sentences.filter((sentence) => whatsIn(sentence).length > 0)).toEqual([]);
    expect(sentences.filter((sentence) => sentence.split(/\s+/).length > 30)).toEqual([]);
  });

  test.each(['-h', '--help'])('is what %s asks for', async (flag) => {
    const { code, stdout, stderr } = await run('scripts/docs.ts', [flag]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: npm run docs -- \[options\]\n/);
    expect(stdout).toContain('npm run docs -- --url https://api.example.com');
  });
});

test('docs refuses an address that is none', async () => {
  const { code, stdout, stderr } = await run('scripts/docs.ts', ['--url', 'somewhere']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain("'somewhere' is invalid. It must be an `http:` or `https:` URL");
});

describe('the output of a command', () => {
  it.each([
    ['docs', '--help'],
    ['completion', 'bash'],
  ])('of %s %s may be cut off by its reader, as `head` does', (name, argument) => {
    const script = '"$0" "$1" "$2" | true';
    const { stderr } = spawnSync('sh', ['-c', script, process.execPath, `scripts/${name}.ts`, argument], { cwd: root });
    expect(String(stderr)).toBe('');
  });
});

/** Packages that a module loads before it runs, itself or through modules of this repository; `lazily`: also what it loads later. */
function packagesOf(entry: string, { lazily = false } = {}): ReadonlySet<string> {
  const imports = /^(?:import|export|\})(?! type\b)[^;'`]*?\bfrom '([^']+)'|^import '([^']+)'/gm;
  const found = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const text = read(file);
    const later = lazily ? [...text.matchAll(/\bimport\('([^']+)'\)/g)] : [];
    for (const [, named, bare] of [...text.matchAll(imports), ...later]) {
      const target = (named ?? bare)!;
      if (target.startsWith('.')) visit(join(dirname(file), target));
      else if (!isBuiltin(target)) found.add(target);
    }
  };
  visit(entry);
  return found;
}

describe('before the arguments of a command are parsed', () => {
  test.each(names)('%s loads the parser and no other package', (name) => {
    const parser = ['@commander-js/extra-typings', 'fastest-levenshtein'];
    expect(parser).toEqual(expect.arrayContaining([...packagesOf(`scripts/${name}.ts`)]));
  });
});

describe('in an installation without optional packages', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { readonly dependencies: object };

  test.each(['start', 'migrate', 'copy', 'backup'])('%s finds each package that it loads', (name) => {
    const actions = [...read(`scripts/${name}.ts`).matchAll(/\bimport\('\.\.\/([^']+)'\)/g)].map(([, path]) => path!);
    expect(actions.length).toBeGreaterThan(0);
    const loaded = actions.flatMap((path) => [...packagesOf(path)]);
    const packages = loaded.map((path) => /^(?:@[^/]+\/)?[^/]+/.exec(path)![0]);
    expect(packages.filter((one) => !(one in dependencies))).toEqual([]);
  });
});

describe('the entry of production', () => {
  it('never loads the parser', () => {
    const packages = packagesOf('src/main.ts', { lazily: true });
    expect(packages).toContain('fastify');
    expect([...packages].filter((name) => name.includes('commander'))).toEqual([]);
  });
});
